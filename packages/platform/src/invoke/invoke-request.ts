import type { PrintedLogs } from "../history/log-schemas.ts";
import type { JsonObject } from "../json.ts";
import type { InvocationMode } from "../runner/runner.ts";

/** One input of a request, in its wire format. */
export interface InvokeInput {
  readonly input_parameters: JsonObject;
  readonly invocation_mode: InvocationMode;
  readonly nonsensitive_user_variables: Readonly<Record<string, string>>;
  readonly sensitive_user_variables: Readonly<Record<string, string>>;
}

/** On whose behalf a tool is invoked. Default: the caller's. */
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

/** A request to invoke a version, in its wire format. */
export interface InvokeRequest {
  readonly inputs: readonly InvokeInput[];
  readonly source?: InvocationSource | null;
  /** Passed to the tool unchanged. */
  readonly conversation?: JsonObject | null;
  /** ID of a webhook that is told of the end, for asynchronous invocations. */
  readonly webhook?: string | null;
}

/** The result of one invocation, in its wire format. */
export type InvocationResult = InvocationOutcome & {
  /** Present only together with a warning or logs. */
  readonly invocation_id?: string;
  /** What the tool printed, if the request wants it. */
  readonly logs?: PrintedLogs;
  /** Says that the tool ran but could not be recorded yet. */
  readonly warning?: string;
};

type InvocationOutcome =
  | { readonly succeeded: true; readonly output: string; readonly duration_ms: number }
  | {
      readonly succeeded: false;
      readonly exception_message: string;
      readonly exception_type: string;
      readonly exception_stack_trace: readonly string[];
      readonly duration_ms: number;
    };
