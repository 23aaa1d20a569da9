import { setImmediate } from "node:timers/promises";
import type { CallRecord } from "@haft/core";
import { fromRow } from "../call-row.ts";
import { openDatabase } from "../open-database.ts";
import { recordingLayout } from "../sqlite-recorder.ts";
import { callIndexLayout } from "./call-index-layout.ts";
import { type CallQueries, createCallQueries } from "./call-queries.ts";
import { indexColumns, toIndexRow } from "./index-row.ts";

/** Options of `openCallIndex`. */
export interface CallIndexOptions {
  /** Path of the index, which is created if necessary. */
  readonly path: string;
  /** Path of the recording. */
  readonly recordings: string;
  /** Returns the result of a call as text. */
  render(record: CallRecord): string;
}

/** Recorded calls of all sessions, for lists and sums that must not read whole results. */
export interface CallIndex extends CallQueries {
  /** Indexes all calls that were recorded since, yielding to other work in between. */
  takeIn(): Promise<void>;
  /** Returns a whole record. */
  read(row: number): CallRecord | undefined;
  /** Returns the row of the newest record, without indexing it. */
  newest(): number;
  close(): void;
}

const perTransaction = 200;

/** Opens the index of a recording. Several processes may have it open. */
export async function openCallIndex(options: CallIndexOptions): Promise<CallIndex> {
  const { DatabaseSync: Database } = await import("node:sqlite");
  const recording = openDatabase({ path: options.recordings, Database }, recordingLayout);
  let index: ReturnType<typeof openDatabase>;
  try {
    index = openDatabase({ path: options.path, Database }, callIndexLayout);
  } catch (error) {
    recording.close();
    throw error;
  }
  const page = recording.prepare("SELECT * FROM calls WHERE id > ? ORDER BY id LIMIT ?");
  const one = recording.prepare("SELECT * FROM calls WHERE id = ?");
  const last = recording.prepare("SELECT max(id) AS id FROM calls");
  const taken = index.prepare("SELECT row FROM taken");
  const note = index.prepare("UPDATE taken SET row = ?");
  const places = indexColumns.replaceAll(/\w+/gu, "?");
  const insert = index.prepare(`INSERT OR REPLACE INTO calls (${indexColumns}) VALUES (${places})`);
  const addFile = index.prepare("INSERT OR IGNORE INTO files VALUES (?, ?)");
  const count = index.prepare(
    `INSERT INTO sessions VALUES (?1, 1, ?2, ?3, ?4, ?4) ON CONFLICT DO UPDATE SET
       calls = calls + 1, errors = errors + ?2, tokens = tokens + ?3,
       first_at = min(first_at, ?4), last_at = max(last_at, ?4)`,
  );

  const takePart = (): number => {
    index.exec("BEGIN IMMEDIATE");
    try {
      const start = findStart(Number(taken.get()?.row));
      const rows = page.all(start, perTransaction);
      for (const row of rows) {
        const record = fromRow(row);
        const indexed = toIndexRow(Number(row.id), record, options.render(record));
        const { session, startedAt } = record;
        insert.run(...indexed.values);
        count.run(session, indexed.isError ? 1 : 0, indexed.tokens, startedAt);
        for (const file of indexed.files) addFile.run(session, file);
      }
      if (rows.length > 0) note.run(Number(rows.at(-1)?.id));
      index.exec("COMMIT");
      return rows.length;
    } catch (error) {
      if (index.isTransaction) index.exec("ROLLBACK");
      throw error;
    }
  };

  // Rows are never removed: if the last one is missing, this is another recording.
  const findStart = (row: number): number => {
    if (row === 0 || one.get(row) !== undefined) return row;
    index.exec("DELETE FROM calls; DELETE FROM sessions; DELETE FROM files");
    return 0;
  };

  let taking: Promise<void> | undefined;
  const takeAll = async (): Promise<void> => {
    while (takePart() === perTransaction) await setImmediate();
  };
  const newest = (): number => Number(last.get()?.id ?? 0);
  return {
    ...createCallQueries(index),
    newest,
    takeIn: () => {
      if (Number(taken.get()?.row) === newest()) return Promise.resolve();
      taking ??= takeAll().finally(() => {
        taking = undefined;
      });
      return taking;
    },
    read: (row) => {
      const found = one.get(row);
      return found === undefined ? undefined : fromRow(found);
    },
    close: () => {
      index.close();
      recording.close();
    },
  };
}
