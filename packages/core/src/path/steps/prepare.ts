import { repairArguments } from "../arguments.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/** Repairs what models get wrong about JSON, then lets the tool normalise its arguments. */
export function prepare(call: Call, context: CallContext): void | Promise<void> {
  const repaired = repairArguments(call, call.tool.parameters);
  if (repaired !== undefined) return repaired.then(() => normalise(call, context));
  call.argsFit = call.tool.prepare === undefined;
  normalise(call, context);
}

function normalise(call: Call, context: CallContext): void {
  const { tool } = call;
  if (tool.prepare === undefined || typeof call.args !== "object" || call.args === null) return;
  try {
    call.args = tool.prepare(call.args, context.prepareEnvironment);
  } catch {
    // Arguments so odd that normalising throws are for validation to name.
  }
}
