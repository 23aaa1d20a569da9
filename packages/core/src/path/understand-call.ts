import type { Footprint } from "../schedule/conflicts.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";
import { findFootprint } from "./footprint.ts";
import { locate } from "./steps/locate.ts";
import { prepare } from "./steps/prepare.ts";
import { resolve } from "./steps/resolve.ts";
import { validate } from "./steps/validate.ts";

/** Resolves and validates a call and returns what it would touch. Throws if that is not possible. */
export async function understandCall(call: Call, context: CallContext): Promise<Footprint> {
  for (const step of [resolve, prepare, validate, locate]) await step(call, context);
  return findFootprint(call, context);
}
