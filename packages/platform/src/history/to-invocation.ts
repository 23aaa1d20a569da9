import type { JsonObject } from "../json.ts";
import type { StoredInvocation } from "./list-invocations.ts";

/** An invocation as it goes over the wire. */
export function toInvocation(row: StoredInvocation): JsonObject {
  return {
    id: row.id,
    org_id: row.org_id,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    invocation_status: toStatus(row),
    invocation_source: toSource(row),
    duration_ms: row.duration_ms,
    tool_id: row.tool_id,
    tool_version: { major: row.major, minor: row.minor, patch: row.patch },
    inputs: JSON.parse(row.inputs),
  };
}

function toStatus(row: StoredInvocation): JsonObject {
  if (row.succeeded === 1) return { succeeded: true, output: row.output ?? "" };
  return {
    succeeded: false,
    exception_message: row.exception_message ?? "",
    exception_type: row.exception_type ?? "",
    exception_stack_trace: JSON.parse(row.exception_stack_trace ?? "[]"),
  };
}

function toSource(row: StoredInvocation): JsonObject {
  const invocation_metadata = JSON.parse(row.source_metadata ?? "null");
  switch (row.source_type) {
    case "direct":
      return { type: row.source_type, user_id: row.user_id ?? "" };
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
  }
}
