import { ToolError } from "../tool-error.ts";
import type { Outcome } from "./call-example.ts";
import type { ToolExample } from "./tool-example.ts";

/** Throws unless a call ended as its example expects. */
export function judgeOutcome(outcome: Outcome, example: ToolExample): void {
  const expected = example.expect?.error;
  if (outcome.type === "data" && expected !== undefined) {
    throw new Error(`The call returned data, but ${expected} was expected.`);
  }
  if (outcome.type !== "thrown") return;
  const { thrown } = outcome;
  if (!ToolError.isInstance(thrown)) {
    throw new Error(`The call threw something other than a ToolError: ${describeThrown(thrown)}`, {
      cause: thrown,
    });
  }
  if (thrown.code !== expected) {
    throw new Error(
      `The call failed with ${thrown.code} (${thrown.message}), but ${expected ?? "data"} was expected.`,
      { cause: thrown },
    );
  }
}

/** Throws unless a call that was aborted before it began ended soon and with a suitable error. */
export function judgeAbortedCall(outcome: Outcome, example: ToolExample): void {
  if (outcome.type === "stuck")
    throw new Error("The call was still running one second after it was aborted.");
  if (outcome.type !== "thrown") return;
  const { thrown } = outcome;
  if (ToolError.isInstance(thrown)) {
    // It may fail with the expected error before it looks at the signal.
    if (thrown.code === "cancelled" || thrown.code === example.expect?.error) return;
  } else if (thrown instanceof Error && thrown.name === "AbortError") return;
  throw new Error(
    `The call threw neither a ToolError with code cancelled nor an AbortError: ${describeThrown(thrown)}`,
    { cause: thrown },
  );
}

function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}
