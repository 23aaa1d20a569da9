import { toSubjects } from "../rules/subject.ts";
import type { Footprint } from "../schedule/conflicts.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";

/** Works out what a validated call touches, for the checks and for those who wait behind it. */
export function findFootprint(call: Call, context: CallContext): Footprint {
  const { execution, id } = call.tool;
  if (execution === undefined) return { tool: id, serial: false, subjects: undefined };
  const keys = execution.resourceKeys?.(call.args);
  if (keys !== undefined) {
    call.subjects = toSubjects(keys, context.computer);
  }
  return { tool: id, serial: execution.serial ?? false, subjects: call.subjects };
}
