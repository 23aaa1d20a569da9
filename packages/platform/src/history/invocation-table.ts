import { type Kysely, sql } from "kysely";
import type { InvocationRow, Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { createBatchInsert } from "./batch-insert.ts";
import type { NewInvocation } from "./history.ts";

// Any number will do that nobody else takes.
const historyLock = 4_871_102;
// The column holds no more.
const mostDurationMs = 2 ** 31 - 1;

/** Inserts invocations, within a transaction that began with `lockHistory`. */
export type InsertInvocations = (
  db: Kysely<Tables>,
  rows: readonly NewInvocation[],
) => Promise<void>;

/** Makes what inserts invocations into stores of one kind. */
export function createInvocationInsert(): InsertInvocations {
  const insert = createBatchInsert<NewInvocation>({
    table: "invocations",
    columns: columns satisfies readonly (keyof InvocationRow)[],
    addValues,
  });
  return (db, rows) => insert(db as unknown as Kysely<never>, rows);
}

/**
 * Lets one writer at a time add to history, so that numbers become visible in their order: who has
 * read up to a number will never find a lower one later. SQLite has only one writer anyway.
 */
export async function lockHistory(db: Kysely<Tables>, { kind }: Store): Promise<void> {
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${historyLock})`.execute(db);
}

const columns = [
  "id",
  "org_id",
  "tool_id",
  "major",
  "minor",
  "patch",
  "source_type",
  "user_id",
  "conversation_id",
  "interaction_id",
  "simulation_run_id",
  "unit_test_id",
  "run_index",
  "source_metadata",
  "mode",
  "succeeded",
  "output",
  "exception_type",
  "exception_message",
  "exception_stack_trace",
  "inputs",
  "duration_ms",
  "created_at",
  "updated_at",
] as const;

function addValues(row: NewInvocation, values: unknown[]): void {
  values.push(
    row.id,
    row.org_id,
    row.tool_id,
    row.major,
    row.minor,
    row.patch,
    row.source_type,
    row.user_id ?? null,
    row.conversation_id ?? null,
    row.interaction_id ?? null,
    row.simulation_run_id ?? null,
    row.unit_test_id ?? null,
    row.run_index ?? null,
    row.source_metadata ?? null,
    row.mode,
    row.succeeded,
    toStorable(row.output),
    toStorable(row.exception_type),
    toStorable(row.exception_message),
    row.exception_stack_trace ?? null,
    row.inputs,
    Math.min(Math.round(row.duration_ms), mostDurationMs),
    row.created_at,
    row.updated_at,
  );
}

/** PostgreSQL can't keep a NUL; both databases shall keep the same. */
function toStorable(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}
