import type { DatabaseSync } from "node:sqlite";
import { toErrorMessage } from "@haft/contract/internal";
import type { CallRecord, Recorder } from "@haft/core";
import { recordingVersion } from "@haft/core/internal";
import {
  callColumns,
  fromHeadRow,
  fromRecentRow,
  fromRow,
  headColumns,
  type RecordedHead,
  recentColumns,
  toRow,
} from "./call-row.ts";
import { type DatabaseLayout, openDatabase } from "./open-database.ts";

/** Options of `openSqliteRecorder`. */
export interface SqliteRecorderOptions {
  /** Called once per failed write; the rows are kept and tried again. Default: a process warning. */
  onError?(error: Error): void;
  /**
   * How long rows are collected before they are written to disk, which takes longer than most calls.
   * Default: until the end of the event loop's turn.
   */
  readonly gatherMs?: number;
}

/** Summary of a recorded session. */
export interface RecordedSession {
  readonly session: string;
  readonly calls: number;
  /** When its first and its last call started, in milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** A recorder whose rows outlive the process. */
export interface SqliteRecorder extends Recorder {
  /** The sessions that have rows, most recently used first. */
  sessions(): RecordedSession[];
  /** The heads of calls recorded after a row, of any session; at most `limit`. */
  heads(after: number, limit: number): RecordedHead[];
  /** The last row of a call of a session that started at a time or later. */
  find(call: SoughtCall): CallRecord | undefined;
}

/** A call that may have been recorded. */
export interface SoughtCall {
  readonly session: string;
  readonly callId: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * Opens or creates the recording at a path. Several processes may have it open.
 *
 * @example
 * ```ts
 * import { openSqliteRecorder } from "@haft/computer";
 *
 * const recorder = await openSqliteRecorder("calls.db");
 * for (const { session, calls } of recorder.sessions()) console.log(session, calls);
 * ```
 */
export async function openSqliteRecorder(
  path: string,
  options: SqliteRecorderOptions = {},
): Promise<SqliteRecorder> {
  // Imported here, so that callers that record nothing don't load SQLite.
  const { DatabaseSync } = await import("node:sqlite");
  const database = openRecording(path, DatabaseSync);
  const onError = options.onError ?? ((error: Error) => process.emitWarning(error));
  const insert = database.prepare(
    `INSERT INTO calls (${callColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const page = database.prepare(
    "SELECT * FROM calls WHERE session = ? AND id > ? ORDER BY id LIMIT 100",
  );
  const summary = database.prepare(
    "SELECT session, count(*) AS calls, min(started_at) AS first_at, max(started_at) AS last_at FROM calls GROUP BY session",
  );
  const head = database.prepare(
    `SELECT ${headColumns} FROM calls WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const sought = database.prepare(
    "SELECT * FROM calls WHERE session = ? AND call_id = ? AND started_at >= ? ORDER BY id DESC LIMIT 1",
  );
  const pending: CallRecord[] = [];
  let isScheduled = false;
  let failure: string | undefined;

  const write = (): void => {
    isScheduled = false;
    const rows = pending.slice();
    if (rows.length === 0) return;
    failure = undefined;
    try {
      database.exec("BEGIN IMMEDIATE");
      for (const row of rows) insert.run(...toRow(row));
      database.exec("COMMIT");
      pending.splice(0, rows.length);
    } catch (cause) {
      if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
      const error = notWritten(path, rows.length, cause);
      failure = `${error.message} Free disk space, or make it writable.`;
      onError(error);
    }
  };

  return {
    record: (row) => {
      pending.push(row);
      if (isScheduled) return;
      isScheduled = true;
      // All calls that end meanwhile share one transaction.
      if (options.gatherMs === undefined) setImmediate(write);
      else setTimeout(write, options.gatherMs);
    },
    findFailure: () => {
      // Each call that asks retries writing the kept rows.
      if (failure !== undefined) write();
      return failure;
    },
    list: function* (session) {
      write();
      let last = 0;
      for (let rows = page.all(session, last); rows.length > 0; rows = page.all(session, last)) {
        for (const row of rows) {
          last = Number(row.id);
          yield fromRow(row);
        }
      }
      yield* pending.filter((row) => row.session === session);
    },
    recent: (session, limit) => {
      write();
      const rows = database
        .prepare(`SELECT ${recentColumns} FROM calls WHERE session = ? ORDER BY id DESC LIMIT ?`)
        .all(session, limit);
      return rows.map(fromRecentRow).reverse();
    },
    sessions: () => {
      write();
      const stored = summary.all().map(
        (row): RecordedSession => ({
          session: String(row.session),
          calls: Number(row.calls),
          firstAt: Number(row.first_at),
          lastAt: Number(row.last_at),
        }),
      );
      return addPending(stored, pending).sort((a, b) => b.lastAt - a.lastAt);
    },
    heads: (after, limit) => {
      write();
      return head.all(after, limit).map(fromHeadRow);
    },
    find: ({ session, callId, since }) => {
      write();
      const row = sought.get(session, callId, since);
      return row === undefined ? undefined : fromRow(row);
    },
    flush: async () => write(),
    close: async () => {
      write();
      if (database.isOpen) database.close();
    },
  };
}

function addPending(
  stored: readonly RecordedSession[],
  pending: readonly CallRecord[],
): RecordedSession[] {
  const sessions = new Map(stored.map((entry) => [entry.session, entry]));
  for (const { session, startedAt } of pending) {
    const known = sessions.get(session);
    sessions.set(session, {
      session,
      calls: (known?.calls ?? 0) + 1,
      firstAt: Math.min(known?.firstAt ?? startedAt, startedAt),
      lastAt: Math.max(known?.lastAt ?? startedAt, startedAt),
    });
  }
  return [...sessions.values()];
}

function notWritten(path: string, count: number, cause: unknown): Error {
  const reason = toErrorMessage(cause);
  return new Error(
    `${count} calls could not be recorded in ${path}: ${reason}. They are kept in memory and tried again.`,
    { cause },
  );
}

/** Opens or creates the recording at a path; refuses a file that is not a recording of ours. */
function openRecording(path: string, Database: typeof DatabaseSync): DatabaseSync {
  return openDatabase({ path, Database }, recordingLayout);
}

const schema = `
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    call_id TEXT NOT NULL,
    name TEXT NOT NULL,
    tool TEXT,
    arguments TEXT NOT NULL,
    dialect TEXT NOT NULL,
    started_at REAL NOT NULL,
    state TEXT NOT NULL,
    result TEXT NOT NULL
  ) STRICT;
  CREATE INDEX calls_by_session ON calls (session, id);
`;

/** The database of a recording. */
export const recordingLayout: DatabaseLayout = {
  what: "a recording",
  // "Haft" in ASCII.
  applicationId: 0x48616674,
  version: recordingVersion,
  schema,
  synchronous: "FULL",
};
