import type { ToolRunResult } from "../runner/runner.ts";
import type { InvocationResult } from "./invoke-request.ts";

/** Converts the result of a run to its wire format. */
export function toInvocationResult(result: ToolRunResult): InvocationResult {
  const duration_ms = Math.max(0, Math.round(result.durationMs));
  if (result.succeeded) return { succeeded: true, output: result.output, duration_ms };
  return {
    succeeded: false,
    exception_message: result.exceptionMessage,
    exception_type: result.exceptionType,
    exception_stack_trace: result.exceptionStackTrace,
    duration_ms,
  };
}
