import type { SQLOutputValue } from "node:sqlite";
import type { StoredEntry, ThreadEntry } from "./thread.ts";
import { rowsPerThread } from "./thread-layout.ts";
import type { ThreadSummary } from "./threads.ts";

/** A row as SQLite returns it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Returns the row ID of a thread's entry. */
export function toRowId(thread: number, at: number): bigint {
  return BigInt(thread) * BigInt(rowsPerThread) + BigInt(at);
}

/** Converts a row to a thread summary. */
export function fromThreadRow(row: Row): ThreadSummary {
  return {
    id: String(row.id),
    name: String(row.name),
    workspace: String(row.workspace),
    ...(row.parent !== null && { parent: String(row.parent) }),
    ...(row.fork_of !== null && { forkedFrom: String(row.fork_of) }),
    ...(row.forked_at !== null && { forkedAt: Number(row.forked_at) }),
    ...(row.is_opaque === 1 && { isOpaque: true }),
    ...(row.title !== null && { title: String(row.title) }),
    ...(row.agent !== null && { agent: String(row.agent) }),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    entries: Number(row.entries),
    calls: Number(row.calls),
  };
}

/** Converts a row to an entry. */
export function fromEntryRow(row: Row): StoredEntry {
  return {
    at: Number(row.id) % rowsPerThread,
    time: Number(row.time),
    entry: JSON.parse(String(row.body)) as ThreadEntry,
  };
}
