import type { DatabaseSync } from "node:sqlite";
import { callsOf } from "./entry-calls.ts";
import type { SizedEntry } from "./take-latest.ts";
import type { EntryOutline, StoredEntry, ThreadEntry } from "./thread.ts";
import { maxEntries, rowsPerThread } from "./thread-layout.ts";
import { fromEntryRow, toRowId } from "./thread-row.ts";

/** The entries of all threads. Threads are identified by number here. */
export interface EntryStore {
  /** Stores an entry at a position, which must be the next one. */
  add(thread: number, stored: StoredEntry): void;
  /** Oldest first, from a position on. Read page by page. */
  forwards(thread: number, from: number): Generator<StoredEntry>;
  /** All entries except results, oldest first, without their contents. */
  outline(thread: number): EntryOutline[];
  /** Newest first. Read page by page. */
  backwards(thread: number): Generator<SizedEntry>;
}

const pageSize = 50;

/** Creates the entry store of a database. */
export function createEntryStore(database: DatabaseSync): EntryStore {
  const insert = database.prepare(
    "INSERT INTO entries (id, time, kind, calls, body) VALUES (?, ?, ?, ?, ?)",
  );
  const next = database.prepare(
    `SELECT id, time, body FROM entries WHERE id >= ? AND id <= ? ORDER BY id LIMIT ${pageSize}`,
  );
  const previous = database.prepare(
    `SELECT id, time, body FROM entries WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ${pageSize}`,
  );
  const heads = database.prepare(
    `SELECT id, time, kind, calls, CASE kind
       WHEN 'assistant' THEN EXISTS (
         SELECT 1 FROM json_each(body, '$.content') WHERE value ->> 'type' = 'text')
       WHEN 'turn-end' THEN body ->> 'reason' <> 'end'
       ELSE 1 END AS is_readable
     FROM entries WHERE id > ? AND id <= ? AND kind <> 'result' ORDER BY id`,
  );
  return {
    add: (thread, { at, time, entry }) => {
      insert.run(toRowId(thread, at), time, entry.kind, callsOf(entry).length, toBody(entry));
    },
    forwards: function* (thread, from) {
      let at = Math.max(1, from);
      const last = toRowId(thread, maxEntries);
      for (let isMore = true; isMore; ) {
        const rows = next.all(toRowId(thread, at), last);
        for (const row of rows) yield fromEntryRow(row);
        at += rows.length;
        isMore = rows.length === pageSize;
      }
    },
    outline: (thread) =>
      heads.all(toRowId(thread, 0), toRowId(thread, maxEntries)).map((row) => ({
        at: Number(row.id) % rowsPerThread,
        time: Number(row.time),
        kind: row.kind as EntryOutline["kind"],
        calls: Number(row.calls),
        isReadable: row.is_readable === 1,
      })),
    backwards: function* (thread) {
      let before = toRowId(thread, maxEntries + 1);
      for (let isMore = true; isMore; ) {
        const rows = previous.all(toRowId(thread, 0), before);
        for (const row of rows) {
          before = BigInt(row.id as number);
          yield { stored: fromEntryRow(row), characters: String(row.body).length };
        }
        isMore = rows.length === pageSize;
      }
    },
  };
}

function toBody(entry: ThreadEntry): string {
  return JSON.stringify(entry);
}
