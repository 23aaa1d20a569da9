import { isPlainObject } from "@haft/contract/internal";
import { toIsoMoment } from "../iso-moment.ts";
import type { PrintedOutput, PrintedStream } from "../runner/printed-output.ts";
import type { Store } from "../store/store.ts";
import { isTextList, readStoredJsonOr } from "../store/stored-json.ts";
import { readCallers } from "./find-callers.ts";
import type { Invocation } from "./invocation-schemas.ts";
import { findRetries, type StoredInvocation } from "./list-invocations.ts";
import type { PrintedLogs } from "./log-schemas.ts";

/** Converts rows to the API's form, with their callers and the invocations that repeat them. */
export async function toInvocations(
  store: Pick<Store, "db">,
  rows: readonly StoredInvocation[],
): Promise<Invocation[]> {
  const callers = await readCallers(
    store,
    rows.flatMap(({ caller }) => caller ?? []),
  );
  const retriesOf = await findRetries(
    store.db,
    rows.filter(({ retriedBy }) => retriedBy === undefined),
  );
  return rows.map((row) => ({
    ...toInvocation(row),
    caller: callers.get(row.caller ?? 0) ?? null,
    retried_by: row.retriedBy ?? retriesOf(row.id),
  }));
}

function toInvocation(row: StoredInvocation): Omit<Invocation, "caller" | "retried_by"> {
  return {
    id: row.id,
    org_id: row.org_id,
    created_at: toIsoMoment(row.created_at),
    updated_at: toIsoMoment(row.updated_at),
    invocation_status: toStatus(row),
    invocation_source: toSource(row),
    duration_ms: row.duration_ms,
    tool_id: row.tool_id,
    tool_version: { major: row.major, minor: row.minor, patch: row.patch },
    inputs: readStoredJsonOr<Invocation["inputs"]>(row.inputs, damaged, isPlainObject),
    retry_of: row.retry_of,
    unrecorded: row.unrecorded,
    ...(row.printed !== undefined && { logs: toLogs(row.printed) }),
  };
}

/** Converts what an invocation printed to the API's form. */
export function toLogs(printed: string | null): PrintedLogs {
  const output = readStoredJsonOr<PrintedOutput | null>(printed ?? "null", null, isPrinted);
  const show = (stream: PrintedStream): PrintedLogs[PrintedStream] => ({
    text: output?.[stream].text ?? "",
    omitted_characters: output?.[stream].omittedCharacters ?? 0,
  });
  return { stdout: show("stdout"), stderr: show("stderr") };
}

function isPrinted(value: unknown): boolean {
  const { stdout, stderr } = (value ?? {}) as Partial<PrintedOutput>;
  return [stdout, stderr].every(
    (stream) => typeof stream?.text === "string" && Number.isSafeInteger(stream.omittedCharacters),
  );
}

// Shown instead of inputs that can't be parsed.
const damaged: Invocation["inputs"] = {
  damaged: "The inputs are damaged in the server's database.",
};

/** Returns how an invocation ended, in the API's form. */
export function toStatus(row: StoredInvocation): Invocation["invocation_status"] {
  if (row.succeeded === 1) return { succeeded: true, output: row.output ?? "" };
  return {
    succeeded: false,
    exception_message: row.exception_message ?? "",
    exception_type: row.exception_type ?? "",
    exception_stack_trace: readStoredJsonOr<string[]>(
      row.exception_stack_trace ?? "[]",
      [],
      isTextList,
    ),
  };
}

type InvocationMetadata = Extract<
  Invocation["invocation_source"],
  { type: "regular-conversation" }
>["invocation_metadata"];

/** Returns where an invocation came from, in the API's form. */
export function toSource(row: StoredInvocation): Invocation["invocation_source"] {
  const invocation_metadata = readStoredJsonOr<InvocationMetadata>(
    row.source_metadata ?? "null",
    null,
    isPlainObject,
  );
  switch (row.source_type) {
    case "regular-conversation":
      return {
        type: row.source_type,
        user_id: row.user_id ?? "",
        conversation_id: row.conversation_id,
        interaction_id: row.interaction_id,
        invocation_metadata,
      };
    case "simulation-conversation":
      return {
        type: row.source_type,
        simulation_unit_test_set_run_id: row.simulation_run_id,
        unit_test_id: row.unit_test_id,
        run_index: row.run_index,
        invocation_metadata,
      };
    case "mcp":
      return { type: row.source_type, user_id: row.user_id ?? "" };
    case "schedule": {
      const { schedule_id = "" } = (invocation_metadata ?? {}) as { schedule_id?: string };
      return { type: row.source_type, user_id: row.user_id ?? "", schedule_id };
    }
    default:
      return { type: "direct", user_id: row.user_id ?? "" };
  }
}
