import type { JsonObject } from "../json.ts";
import type { InvocationMode } from "../runner/runner.ts";

/** What one invocation of a request gets, as the wire has it. */
export interface InvokeInput {
  readonly input_parameters: JsonObject;
  readonly invocation_mode: InvocationMode;
  readonly nonsensitive_user_variables: Readonly<Record<string, string>>;
  readonly sensitive_user_variables: Readonly<Record<string, string>>;
}

/** On whose behalf a tool is invoked, if not on the caller's own. */
export type InvocationSource =
  | {
      readonly type: "regular-conversation";
      readonly user_id: string;
      readonly conversation_id: string | null;
      readonly interaction_id: string | null;
      readonly invocation_metadata: JsonObject;
    }
  | {
      readonly type: "simulation-conversation";
      readonly simulation_unit_test_set_run_id: string | null;
      readonly unit_test_id: string | null;
      readonly run_index: number | null;
      readonly invocation_metadata: JsonObject;
    };

/** A request to invoke a version, as the wire has it. */
export interface InvokeRequest {
  readonly inputs: readonly InvokeInput[];
  readonly source?: InvocationSource | null;
  /** Given to the tool as it is. */
  readonly conversation?: JsonObject | null;
}

/** How one invocation ended, as the wire has it. */
export type InvocationResult =
  | { readonly succeeded: true; readonly output: string; readonly duration_ms: number }
  | {
      readonly succeeded: false;
      readonly exception_message: string;
      readonly exception_type: string;
      readonly exception_stack_trace: readonly string[];
      readonly duration_ms: number;
    };
