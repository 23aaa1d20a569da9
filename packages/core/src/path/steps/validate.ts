import { requireFit } from "../arguments.ts";
import type { Call } from "../call.ts";

/** Holds the arguments against the tool's schema. */
export function validate(call: Call): undefined | Promise<void> {
  return call.argsFit ? undefined : requireFit(call, call.tool.parameters, call.tool.id);
}
