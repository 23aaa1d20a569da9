import { ToolError } from "@haft/contract";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/** Refuses tools that were added or changed after the current step began, and those that a program can't call. */
export function available(call: Call, context: CallContext): void {
  const { tool, program } = call;
  if (program?.excludes(tool.id)) {
    throw new ToolError("not-available", `A program can't call ${call.name}. Call it directly.`);
  }
  const offered = context.snapshot().get(tool.id);
  if (offered === tool) return;
  throw new ToolError(
    "not-available",
    offered === undefined
      ? `${call.name} is not available in this step. Use one of the tools you were given.`
      : `${call.name} changed after this step began. It is available again from the next step on.`,
  );
}
