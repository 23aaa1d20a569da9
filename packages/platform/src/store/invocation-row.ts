import type { Generated } from "kysely";

/** A boolean. */
export type Bit = 0 | 1;

/**
 * A row of history. To add a column: add it here and to `invocationColumns`, write a migration, and
 * show it in `history/invocation-schemas.ts` and `history/to-invocation.ts`.
 */
export interface InvocationRow {
  /** Grows with every row and gives the order of history. */
  seq: Generated<number>;
  id: string;
  org_id: string;
  tool_id: string;
  major: number;
  minor: number;
  patch: number;
  source_type: "direct" | "regular-conversation" | "simulation-conversation" | "mcp" | "schedule";
  user_id: string | null;
  conversation_id: string | null;
  interaction_id: string | null;
  simulation_run_id: string | null;
  unit_test_id: string | null;
  run_index: number | null;
  /** JSON: `invocation_metadata`, or null. */
  source_metadata: string | null;
  mode: "regular" | "conversation-simulation";
  succeeded: Bit;
  output: string | null;
  exception_type: string | null;
  exception_message: string | null;
  /** JSON: lines. */
  exception_stack_trace: string | null;
  /** JSON: `input_parameters`. */
  inputs: string;
  duration_ms: number;
  created_at: number;
  updated_at: number;
  /** JSON: what it printed, if anything. Up to 130,000 characters, so lists do not read it. */
  printed: string | null;
  /** Who invoked the tool: a row of `callers`. Null in rows of earlier versions of Haft. */
  caller: number | null;
  /** The invocation that this one repeats. */
  retry_of: string | null;
  /** What it was given and history does not keep: user variables, a conversation, or both. */
  unrecorded: string | null;
  /** Those of `inputs`, `output` and `printed` that are in `invocation_payloads`, with commas. */
  apart: string | null;
}

type WrittenColumn = Exclude<keyof InvocationRow, "seq">;

// An object, so that the compiler reports a missing column.
const written: Readonly<Record<WrittenColumn, true>> = {
  id: true,
  org_id: true,
  tool_id: true,
  major: true,
  minor: true,
  patch: true,
  source_type: true,
  user_id: true,
  conversation_id: true,
  interaction_id: true,
  simulation_run_id: true,
  unit_test_id: true,
  run_index: true,
  source_metadata: true,
  mode: true,
  succeeded: true,
  output: true,
  exception_type: true,
  exception_message: true,
  exception_stack_trace: true,
  inputs: true,
  duration_ms: true,
  created_at: true,
  updated_at: true,
  printed: true,
  caller: true,
  retry_of: true,
  unrecorded: true,
  apart: true,
};

/** The columns that lists show. */
export const listedColumns: readonly Exclude<keyof InvocationRow, "printed">[] = [
  "seq",
  ...(Object.keys(written) as WrittenColumn[]).filter((column) => column !== "printed"),
];

/** The columns that are written, which are all but `seq`. */
export const invocationColumns: readonly WrittenColumn[] = Object.keys(written) as WrittenColumn[];
