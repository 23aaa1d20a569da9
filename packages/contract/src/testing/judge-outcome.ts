import { ToolError } from "../tool-error.ts";
import type { Outcome } from "./call-example.ts";
import type { ToolExample } from "./tool-example.ts";

/** Throws unless a call ended as its example says. */
export function judgeOutcome(outcome: Outcome, example: ToolExample): void {
  const expected = example.expect?.error;
  if (outcome.type === "data" && expected !== undefined) {
    throw new Error(`It gave data where ${expected} was expected.`);
  }
  if (outcome.type !== "thrown") return;
  const { thrown } = outcome;
  if (!ToolError.isInstance(thrown)) {
    throw new Error(`It threw what is no ToolError: ${describeThrown(thrown)}`, { cause: thrown });
  }
  if (thrown.code !== expected) {
    throw new Error(
      `It failed with ${thrown.code} (${thrown.message}) where ${expected ?? "data"} was expected.`,
      { cause: thrown },
    );
  }
}

/** Throws unless a call that was aborted before it began ended soon, and with nothing worse than that. */
export function judgeAbortedCall(outcome: Outcome, example: ToolExample): void {
  if (outcome.type === "stuck") throw new Error("It was still running a second later.");
  if (outcome.type !== "thrown") return;
  const { thrown } = outcome;
  if (ToolError.isInstance(thrown)) {
    // It may fail as it would have anyway, before it looks at the signal.
    if (thrown.code === "cancelled" || thrown.code === example.expect?.error) return;
  } else if (thrown instanceof Error && thrown.name === "AbortError") return;
  throw new Error(
    `It threw neither a ToolError of code cancelled nor an AbortError: ${describeThrown(thrown)}`,
    { cause: thrown },
  );
}

function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}
