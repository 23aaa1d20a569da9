import { requireFit } from "../arguments.ts";
import type { Call } from "../call.ts";

/** Checks the arguments against the tool's schema. */
export function validate(call: Call): void {
  if (!call.argsFit) requireFit(call, call.tool.parameters, call.tool.id);
}
