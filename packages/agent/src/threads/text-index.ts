import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { listSessions, type SessionSummary, type SqliteRecorder } from "@haft/computer";
import { toCallText } from "./call-text.ts";
import { toEntryText } from "./entry-text.ts";
import { rowsPerThread } from "./thread-layout.ts";
import { fromEntryRow, type Row, toRowId } from "./thread-row.ts";

/** What searches look into: what was said, and which calls were made. */
export interface TextIndex {
  /** Takes in what is new, a bounded part of it. What can't be written now is left for the next time. */
  catchUp(): void;
  /** Takes in all that is new, part by part: others have their turn in between. */
  takeIn(): Promise<void>;
  setTitle(number: number, title: string): void;
}

/** What is to be indexed. */
export interface IndexedSources {
  readonly database: DatabaseSync;
  readonly recorder: SqliteRecorder | undefined;
  /** Where `recordings.db` is, with the sessions beside it. */
  readonly recordings: string | undefined;
}

/** How many entries and calls one search takes in at most. */
const mostPerSearch = 20_000;
// Others can write between two transactions.
const perTransaction = 250;
const longestText = 50_000;
// What these came back with is what was said elsewhere: it would be found wherever it was looked for.
const lookers: ReadonlySet<string> = new Set(["find_thread", "read_thread"]);

/** Keeps the texts of a database in step with its threads and with the recording. */
export function createTextIndex({ database, recorder, recordings }: IndexedSources): TextIndex {
  const insert = database.prepare("INSERT INTO texts (rowid, text) VALUES (?, ?)");
  const remove = database.prepare("DELETE FROM texts WHERE rowid = ?");
  const behind = database.prepare(
    "SELECT number, indexed_entries, entries FROM threads WHERE indexed_entries < entries",
  );
  const said = database.prepare(
    `SELECT id, time, body FROM entries WHERE id > ? AND id <= ? AND kind <> 'result' ORDER BY id LIMIT ${perTransaction}`,
  );
  const noteEntries = database.prepare("UPDATE threads SET indexed_entries = ? WHERE number = ?");
  const indexedRow = database.prepare("SELECT row FROM indexed_recording");
  const noteRow = database.prepare("UPDATE indexed_recording SET row = ?");
  const findThread = database.prepare("SELECT number, indexed_calls FROM threads WHERE id = ?");
  const addSilent = database.prepare(
    `INSERT INTO threads (id, name, workspace, is_silent, created_at, updated_at)
     VALUES (?, ?, ?, 1, ?, ?)`,
  );
  const noteCall = database.prepare(
    `UPDATE threads SET indexed_calls = indexed_calls + 1, calls = calls + is_silent,
       updated_at = CASE WHEN is_silent THEN max(updated_at, ?) ELSE updated_at END
     WHERE number = ?`,
  );

  const indexThread = (thread: Row): number => {
    const number = Number(thread.number);
    const entries = Number(thread.entries);
    const from = toRowId(number, Number(thread.indexed_entries));
    const rows = said.all(from, toRowId(number, entries));
    for (const row of rows) {
      const { at, entry } = fromEntryRow(row);
      const text = toEntryText(entry).slice(0, longestText);
      if (text !== "") insert.run(toRowId(number, at * 2), text);
    }
    const last = rows.length < perTransaction ? entries : Number(rows.at(-1)?.id) % rowsPerThread;
    noteEntries.run(last, number);
    // Also a thread without a word is some work.
    return rows.length + 1;
  };
  const indexSaid = (): number => {
    let done = 0;
    for (const thread of behind.all()) {
      done += indexThread(thread);
      if (done >= perTransaction) break;
    }
    return done;
  };

  const indexCalls = (findSession: FindSession): number => {
    if (recorder === undefined) return 0;
    const heads = recorder.heads(
      findStart(recorder, Number(indexedRow.get()?.row)),
      perTransaction,
    );
    for (const head of heads) {
      const { session, startedAt } = head;
      if (findThread.get(session) === undefined) {
        const { name, workspace } = findSession(session);
        addSilent.run(session, name, workspace, startedAt, startedAt);
      }
      const thread = findThread.get(session);
      const number = Number(thread?.number);
      if (!lookers.has(head.name)) {
        insert.run(toRowId(number, Number(thread?.indexed_calls) * 2 + 1), toCallText(head));
      }
      noteCall.run(startedAt, number);
    }
    const last = heads.at(-1);
    if (last !== undefined) noteRow.run(last.row);
    return heads.length;
  };

  // Yields how much each part was. A full disk, or somebody who writes for long, keeps nobody from what is
  // indexed already.
  function* takeParts(): Generator<number> {
    const findSession = createSessionFinder(recordings);
    try {
      for (const indexPart of [indexSaid, () => indexCalls(findSession)]) {
        for (let count = -1; count !== 0; yield count) count = inTransaction(database, indexPart);
      }
    } catch (error) {
      if (!(error instanceof Error && "errcode" in error)) throw error;
    }
  }

  return {
    catchUp: () => {
      let done = 0;
      for (const count of takeParts()) {
        done += count;
        if (done >= mostPerSearch) return;
      }
    },
    takeIn: async () => {
      for (const _ of takeParts()) await setImmediate();
    },
    setTitle: (number, title) => {
      inTransaction(database, () => {
        remove.run(toRowId(number, 0));
        insert.run(toRowId(number, 0), title);
      });
    },
  };
}

/** Does something wholly or not at all, while nobody else writes. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const done = work();
    database.exec("COMMIT");
    return done;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

type FindSession = (id: string) => Pick<SessionSummary, "name" | "workspace">;

// Reads the sessions' own files at the first session that is not known.
function createSessionFinder(recordings: string | undefined): FindSession {
  let known: ReadonlyMap<string, SessionSummary> | undefined;
  return (id) => {
    known ??= new Map(
      (recordings === undefined ? [] : listSessions(dirname(recordings))).map((session) => [
        session.id,
        session,
      ]),
    );
    return known.get(id) ?? { name: id.slice(id.lastIndexOf("/") + 1), workspace: "" };
  };
}

// Rows are never removed: if the last one is gone, the recording is another one.
function findStart(recorder: SqliteRecorder, indexed: number): number {
  if (indexed === 0) return 0;
  return recorder.heads(indexed - 1, 1)[0]?.row === indexed ? indexed : 0;
}
