import type { ToolResult } from "@haft/contract";
import { describeUntold } from "../session/background-runs.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";
import { findFootprint } from "./footprint.ts";
import { ask } from "./steps/ask.ts";
import { available } from "./steps/available.ts";
import { capability } from "./steps/capability.ts";
import { endExecution, execute } from "./steps/execute.ts";
import { hookQuestion, hookResult, hooks } from "./steps/hooks.ts";
import { locate } from "./steps/locate.ts";
import { persist } from "./steps/persist.ts";
import { prepare } from "./steps/prepare.ts";
import { record, recordable } from "./steps/record.ts";
import { resolve } from "./steps/resolve.ts";
import { rules } from "./steps/rules.ts";
import { schedule } from "./steps/schedule.ts";
import { shape, shapeFailure } from "./steps/shape.ts";
import { validate } from "./steps/validate.ts";
import { watchdog } from "./steps/watchdog.ts";

/** A check on the path of a call. It fills in its fields of the call, or throws a `ToolError`. */
type Step = (call: Call, context: CallContext) => void | Promise<void>;

const path: readonly Step[] = [
  resolve,
  prepare,
  validate,
  locate,
  hooks,
  declareFootprint,
  available,
  capability,
  rules,
  watchdog,
  hookQuestion,
  ask,
  schedule,
  recordable,
  execute,
];

/** Takes a call through the whole path. Every host and protocol uses it. It never throws. */
export async function runCall(call: Call, context: CallContext): Promise<ToolResult> {
  let result: ToolResult;
  try {
    try {
      // By index, because an iterator allocates an object per check in an asynchronous function.
      for (let at = 0; at < path.length; at++) {
        if (call.abortReason !== undefined) throw call.abortReason;
        // Most checks are synchronous; awaiting them all would double the cost of a call.
        const pending = path[at]?.(call, context);
        if (pending !== undefined) await pending;
      }
      persist(call);
      const shaped = shape(call, context);
      result = shaped instanceof Promise ? await shaped : shaped;
    } catch (error) {
      result = await shapeFailure(call, error, context);
    } finally {
      endExecution(call, context);
      call.release?.();
      if (call.locks !== undefined) context.fileLocks.release(call.locks);
    }
    if (context.hooks !== undefined) result = await hookResult(call, result, context);
  } finally {
    context.queue.leave(call);
  }
  // The model does not see the results of a program's calls.
  if (call.program === undefined) {
    const notices = describeUntold(context.background.takeForResult(), context);
    if (notices.length > 0) {
      result.metadata.notices = [...(result.metadata.notices ?? []), ...notices];
    }
  }
  record(call, result, context);
  return result;
}

function declareFootprint(call: Call, context: CallContext): undefined | Promise<void> {
  const footprint = findFootprint(call, context);
  if (footprint instanceof Promise) {
    return footprint.then((found) => context.queue.declare(call, found));
  }
  context.queue.declare(call, footprint);
  return undefined;
}
