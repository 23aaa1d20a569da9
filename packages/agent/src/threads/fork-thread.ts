import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "@haft/contract";
import { endInterrupted } from "./end-interrupted.ts";
import type { EntryStore } from "./entry-store.ts";
import { endAtFork } from "./interrupted-calls.ts";
import type { ThreadFacts } from "./thread.ts";
import { threadColumns } from "./thread-layout.ts";
import { fromThreadRow, toRowId } from "./thread-row.ts";
import type { ThreadSummary } from "./threads.ts";

/** What forking needs. */
export interface ForkStore {
  readonly database: DatabaseSync;
  readonly entries: EntryStore;
  now(): number;
}

/** Which thread to fork, up to which entry, and the name of the fork. */
export interface ForkRequest {
  readonly id: string;
  readonly to: ThreadFacts;
  readonly upTo: number | undefined;
}

/** Forks a thread. Call it in a transaction. */
export function forkThread(
  { database, entries, now }: ForkStore,
  { id, to, upTo }: ForkRequest,
): ThreadSummary {
  const source = database.prepare("SELECT * FROM threads WHERE id = ? AND is_silent = 0").get(id);
  if (source === undefined) {
    throw new ToolError("not-found", `There is no thread ${JSON.stringify(id)} to fork.`);
  }
  requireFree(database, to);
  const count = Math.min(upTo ?? Number(source.entries), Number(source.entries));
  const from = Number(source.number);
  const forked = database
    .prepare(`SELECT time FROM entries WHERE id = ?`)
    .get(toRowId(from, count));
  const time = now();
  const number = Number(
    database
      .prepare(
        `INSERT INTO threads (id, name, workspace, parent, is_opaque, title, agent, created_at, updated_at, fork_of, forked_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET is_silent = 0, calls = 0, parent = excluded.parent,
           title = excluded.title, agent = excluded.agent, fork_of = excluded.fork_of,
           forked_at = excluded.forked_at, created_at = excluded.created_at
         RETURNING number`,
      )
      .get(
        ...[to.id, to.name, to.workspace, to.parent ?? id, to.isOpaque === true ? 1 : 0],
        ...[source.title ?? null, source.agent ?? null, time, time],
        ...[id, Number(forked?.time ?? 0)],
      )?.number,
  );
  const distance = toRowId(number, 0) - toRowId(from, 0);
  database
    .prepare(
      `INSERT INTO entries (id, time, kind, calls, body)
       SELECT id + ?, time, kind, calls, body FROM entries WHERE id > ? AND id <= ? ORDER BY id`,
    )
    .run(distance, toRowId(from, 0), toRowId(from, count));
  let at = count;
  for (const entry of endInterrupted(entries.backwards(number), endAtFork)) {
    entries.add(number, { at: ++at, time, entry });
  }
  const made = database
    .prepare(`SELECT ${threadColumns} FROM threads WHERE number = ?`)
    .get(number);
  if (made === undefined) throw new Error(`The fork ${to.id} was not made.`);
  return fromThreadRow(made);
}

function requireFree(database: DatabaseSync, { id, name }: ThreadFacts): void {
  const taken = database.prepare("SELECT 1 FROM threads WHERE id = ? AND is_silent = 0").get(id);
  if (taken === undefined) return;
  throw new ToolError(
    "conflict",
    `The session ${JSON.stringify(name)} already has a thread. Choose another name for the fork.`,
  );
}
