import { ToolError } from "@haft/contract";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/** Lets pass only what this turn began with: a tool added or changed meanwhile waits for the next. */
export function available(call: Call, context: CallContext): void {
  const { tool } = call;
  const offered = context.snapshot().get(tool.id);
  if (offered === tool) return;
  throw new ToolError(
    "not-available",
    offered === undefined
      ? `${call.name} is not available in this turn. Use one of the tools you were given.`
      : `${call.name} changed after this turn began. It is available again from the next turn on.`,
  );
}
