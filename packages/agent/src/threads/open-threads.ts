import { openSqliteRecorder, type SqliteRecorder } from "@haft/computer";
import { describeHolder, isHolding, openDatabase } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import type { CallRecord } from "@haft/core";
import { endInterrupted } from "./end-interrupted.ts";
import { createEntryStore } from "./entry-store.ts";
import { forkThread } from "./fork-thread.ts";
import { endAfterCrash } from "./interrupted-calls.ts";
import { readUsage, readUsageByDay } from "./read-usage.ts";
import { searchThreads } from "./search-threads.ts";
import { createSqliteThread } from "./sqlite-thread.ts";
import { createTextIndex, inTransaction } from "./text-index.ts";
import type { Thread, ThreadFacts } from "./thread.ts";
import { threadColumns, threadLayout } from "./thread-layout.ts";
import { fromThreadRow } from "./thread-row.ts";
import type { ThreadFilter, Threads } from "./threads.ts";

/** Options of `openThreads`. */
export interface ThreadsOptions {
  /** Path of `recordings.db`, where calls are searched and interrupted calls are recorded. */
  readonly recordings?: string | undefined;
  /** Returns milliseconds since the epoch. Default: `Date.now`. */
  clock?(): number;
}

/**
 * Opens a database of threads, or creates it. Appended entries survive the process at once.
 *
 * @example
 * ```ts
 * import { openThreads } from "@haft/agent/threads";
 *
 * const threads = await openThreads("threads.db");
 * const thread = threads.open({ id: "1", name: "default", workspace: "/home/ada/project" });
 * thread.close();
 * ```
 */
export async function openThreads(path: string, options: ThreadsOptions = {}): Promise<Threads> {
  // Imported here, because creating the tools must not load SQLite.
  const { DatabaseSync } = await import("node:sqlite");
  const { toAiSdkOutput: render } = await import("@haft/connect/internal/ai-sdk");
  const { recordings, clock: now = Date.now } = options;
  const database = openDatabase({ path, Database: DatabaseSync }, threadLayout);
  const recorder = recordings === undefined ? undefined : await openRecorder(recordings, database);
  const entries = createEntryStore(database);
  const index = createTextIndex({ database, recorder, recordings });
  const store = { database, entries, now, indexTitle: index.setTitle };
  const held = new Set<Thread>();
  const byId = database.prepare(
    `SELECT ${threadColumns}, is_silent, holder FROM threads WHERE id = ?`,
  );
  const release = database.prepare("UPDATE threads SET holder = NULL WHERE number = ?");
  const add = database.prepare(
    `INSERT INTO threads (id, name, workspace, parent, is_opaque, holder, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET holder = excluded.holder,
       calls = CASE WHEN is_silent THEN 0 ELSE calls END, is_silent = 0,
       workspace = excluded.workspace, parent = coalesce(parent, excluded.parent),
       is_opaque = max(is_opaque, excluded.is_opaque)`,
  );

  const claim = ({ id, name, workspace, parent, isOpaque }: ThreadFacts): void => {
    const holder = byId.get(id)?.holder;
    if (typeof holder === "string" && isHolding(holder)) throw heldByOther(name);
    const isHidden = isOpaque === true ? 1 : 0;
    const time = now();
    add.run(id, name, workspace, parent ?? null, isHidden, describeHolder(), time, time);
  };
  const findRow = (id: string) => {
    const row = byId.get(id);
    return row === undefined || row.is_silent === 1 ? undefined : row;
  };
  const calls = function* (id: string, until = Number.POSITIVE_INFINITY): Generator<CallRecord> {
    const row = byId.get(id);
    // A fork begins with the calls of the original thread.
    if (typeof row?.fork_of === "string") {
      yield* calls(row.fork_of, Math.min(until, Number(row.forked_at)));
    }
    for (const call of recorder?.list(id) ?? []) if (call.startedAt <= until) yield call;
  };

  return {
    open: (facts) => {
      inTransaction(database, () => claim(facts));
      const row = findRow(facts.id);
      if (row === undefined) throw new Error(`The thread ${facts.id} is gone.`);
      const number = Number(row.number);
      const thread = createSqliteThread(store, {
        number,
        summary: fromThreadRow(row),
        onClose: () => {
          held.delete(thread);
          release.run(number);
        },
      });
      held.add(thread);
      const ending = endAfterCrash({ session: facts.id, recorder, render });
      for (const entry of endInterrupted(entries.backwards(number), ending)) thread.append(entry);
      return thread;
    },
    find: (id) => {
      const row = findRow(id);
      return row === undefined ? undefined : fromThreadRow(row);
    },
    entries: function* (id, from = 1) {
      const row = findRow(id);
      if (row !== undefined) yield* entries.forwards(Number(row.number), from);
    },
    outline: (id) => {
      const row = findRow(id);
      return row === undefined ? [] : entries.outline(Number(row.number));
    },
    calls: (id) => calls(id),
    usage: (filter = {}) => readUsage(database, filter),
    usageByDay: (filter = {}) => readUsageByDay(database, filter),
    held: () =>
      database
        .prepare("SELECT id, holder FROM threads WHERE holder IS NOT NULL AND is_silent = 0")
        .all()
        .filter(({ holder }) => isHolding(String(holder)))
        .map(({ id }) => String(id)),
    list: ({ workspace, limit = -1, opaque = false }: ThreadFilter = {}) =>
      database
        .prepare(
          `SELECT ${threadColumns} FROM threads
           WHERE is_silent = 0 AND (? IS NULL OR workspace = ?) AND (? OR is_opaque = 0)
           ORDER BY updated_at DESC, number DESC LIMIT ?`,
        )
        .all(workspace ?? null, workspace ?? null, opaque ? 1 : 0, limit)
        .map(fromThreadRow),
    takeIn: () => index.takeIn(),
    search: (query, filter = {}) => {
      index.catchUp();
      return searchThreads(database, query, filter);
    },
    fork: (id, to, upTo) => inTransaction(database, () => forkThread(store, { id, to, upTo })),
    close: () => {
      for (const thread of [...held]) thread.close();
      // Both are synchronous; the interface returns a promise.
      void recorder?.close();
      if (database.isOpen) database.close();
    },
  };
}

async function openRecorder(path: string, database: { close(): void }): Promise<SqliteRecorder> {
  try {
    return await openSqliteRecorder(path);
  } catch (error) {
    database.close();
    throw error;
  }
}

function heldByOther(name: string): ToolError {
  return new ToolError(
    "conflict",
    `Session ${JSON.stringify(name)} is in use by another agent. Wait for it to end, choose another session (--session), or continue in a copy: haft sessions fork ${name}.`,
  );
}
