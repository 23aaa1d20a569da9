import type { CallRecord, Recorder } from "@haft/core";
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
import { openRecording } from "./open-recording.ts";

/** How a recorder on disk behaves. */
export interface SqliteRecorderOptions {
  /** Is told once per write that failed; the rows are kept and tried again. A process warning unless given. */
  onError?(error: Error): void;
  /**
   * How long rows are gathered before they are brought to disk, which takes longer than most calls.
   * Until the end of the event loop's turn unless said.
   */
  readonly gatherMs?: number;
}

/** What a recording holds of one session. */
export interface RecordedSession {
  readonly session: string;
  readonly calls: number;
  /** When its first and its last call started, in milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** A recorder whose rows outlive the process. */
export interface SqliteRecorder extends Recorder {
  /** The sessions that have rows, the last used first. */
  sessions(): RecordedSession[];
  /** The beginnings of what was recorded after a row, of whichever session, at most so many. */
  heads(after: number, limit: number): RecordedHead[];
  /** The last row of a call of a session that started at a time or later. */
  find(call: SoughtCall): CallRecord | undefined;
}

/** A call that may be recorded. */
export interface SoughtCall {
  readonly session: string;
  readonly callId: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Opens the recording at a path, or makes it. Several processes may have it open. */
export async function openSqliteRecorder(
  path: string,
  options: SqliteRecorderOptions = {},
): Promise<SqliteRecorder> {
  // Here and not above: who records nothing need not load SQLite.
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

  const write = (): void => {
    isScheduled = false;
    const rows = pending.slice();
    if (rows.length === 0) return;
    try {
      database.exec("BEGIN IMMEDIATE");
      for (const row of rows) insert.run(...toRow(row));
      database.exec("COMMIT");
      pending.splice(0, rows.length);
    } catch (cause) {
      if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
      onError(notWritten(path, rows.length, cause));
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
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `${count} calls could not be recorded in ${path}: ${reason}. They are kept in memory and tried again.`,
    { cause },
  );
}
