import { type Kysely, sql } from "kysely";
import { invocationColumns } from "../store/invocation-row.ts";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { createSynchronousEmitter } from "../webhooks/emit-synchronous.ts";
import { createBatchInsert } from "./batch-insert.ts";
import type { NewInvocation } from "./history.ts";
import { splitPayloads } from "./payloads.ts";

// An arbitrary number for the advisory lock.
const historyLock = 4_871_102;
// The limit of the column.
const maxDurationMs = 2 ** 31 - 1;

/** Inserts invocations, within a transaction that began with `lockHistory`. */
export type InsertInvocations = (
  db: Kysely<Tables>,
  rows: readonly NewInvocation[],
) => Promise<void>;

/** Creates a function that inserts invocations and tells the store's webhooks of them. */
export function createInvocationInsert(store: Pick<Store, "generation">): InsertInvocations {
  const insert = createBatchInsert<NewInvocation>({
    table: "invocations",
    columns: invocationColumns,
    addValues,
  });
  const emit = createSynchronousEmitter(store);
  return async (db, rows) => {
    const split = rows.map(splitPayloads);
    await insert(
      db as unknown as Kysely<never>,
      split.map(({ row }) => row),
    );
    const payloads = split.flatMap((each) => each.payloads);
    if (payloads.length > 0) await db.insertInto("invocation_payloads").values(payloads).execute();
    await emit(db, rows);
  };
}

/**
 * Lets one writer at a time add to history, so that numbers become visible in order: a reader that
 * has seen a number will never find a lower one later. SQLite has a single writer anyway.
 */
export async function lockHistory(db: Kysely<Tables>, { kind }: Store): Promise<void> {
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${historyLock})`.execute(db);
}

// Columns whose values need a change before both databases can store them.
const conversions: Readonly<Partial<Record<string, (value: never) => unknown>>> = {
  output: toStorable,
  exception_type: toStorable,
  exception_message: toStorable,
  duration_ms: (milliseconds: number) => Math.min(Math.round(milliseconds), maxDurationMs),
};

function addValues(row: NewInvocation, values: unknown[]): void {
  for (const column of invocationColumns) {
    const value = row[column] ?? null;
    const convert = conversions[column];
    values.push(convert === undefined || value === null ? value : convert(value as never));
  }
}

/** PostgreSQL can't store a NUL, and both databases are to store the same. */
function toStorable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}
