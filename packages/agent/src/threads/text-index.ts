import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { RecordedHead, SqliteRecorder } from "@haft/computer";
import { listSessions, type SessionSummary } from "@haft/computer/internal";
import { toEntryText } from "./entry-text.ts";
import { rowsPerThread } from "./thread-layout.ts";
import { fromEntryRow, type Row, toRowId } from "./thread-row.ts";

/** The full-text index of messages and calls. */
export interface TextIndex {
  /** Indexes a limited number of new entries. What can't be written now is left for the next time. */
  catchUp(): void;
  /** Indexes all new entries in small batches, yielding to other work in between. */
  takeIn(): Promise<void>;
  setTitle(number: number, title: string): void;
}

/** What to index. */
export interface IndexedSources {
  readonly database: DatabaseSync;
  readonly recorder: SqliteRecorder | undefined;
  /** Path of `recordings.db`. The sessions are next to it. */
  readonly recordings: string | undefined;
}

/** Maximum number of entries and calls indexed per search. */
const maxPerSearch = 20_000;
// Others can write between two transactions.
const perTransaction = 250;
const maxTextLength = 50_000;
// Results of these tools repeat other threads: every search would find its own earlier searches.
const lookers: ReadonlySet<string> = new Set(["find_thread", "read_thread"]);

/** Creates the index and keeps it in sync with the threads and the recording. */
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
      const text = toEntryText(entry).slice(0, maxTextLength);
      if (text !== "") insert.run(toRowId(number, at * 2), text);
    }
    const last = rows.length < perTransaction ? entries : Number(rows.at(-1)?.id) % rowsPerThread;
    noteEntries.run(last, number);
    // A thread without text counts as work too.
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

  // Yields the size of each batch. With a full disk or a long write lock, searches still use what is
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
        if (done >= maxPerSearch) return;
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

/** Runs a function in a transaction, exclusively. */
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

// Reads the session files at the first unknown session.
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

// Rows are never removed: if the last one is missing, this is another recording.
function findStart(recorder: SqliteRecorder, indexed: number): number {
  if (indexed === 0) return 0;
  return recorder.heads(indexed - 1, 1)[0]?.row === indexed ? indexed : 0;
}

/** Returns the searchable text of a recorded call: its name, and the strings in its arguments and the beginning of its result. */
function toCallText({ name, arguments: args, result }: RecordedHead): string {
  return [name, ...textsIn(args), ...textsIn(result.replaceAll(envelope, ""))].join(" ");
}

// Every result contains these words, so searching for them is pointless.
const envelope = /^\{"type":"(?:output|error)",|,"metadata":\{"duration_ms".*$/gsu;

// A truncated result is not valid JSON, so its strings are extracted by their quotes, without the keys.
const text = /"((?:[^"\\]|\\.)*)(?:"(\s*:)?|$)/gsu;

function textsIn(json: string): string[] {
  return [...json.matchAll(text)].flatMap(([, inner = "", colon]) =>
    colon === undefined ? [plain(inner)] : [],
  );
}

function plain(escaped: string): string {
  return escaped
    .replaceAll(/\\u([0-9a-fA-F]{4})/gu, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\[nrtbf]/gu, " ")
    .replaceAll(/\\(.)/gsu, "$1")
    .toWellFormed();
}
