import { ToolError } from "@haft/contract";
import type { Timer } from "../../clock.ts";
import type { Call } from "../call.ts";
import { describeCall } from "../call-events.ts";
import { CallRuntime } from "../call-runtime.ts";
import type { CallContext } from "../context.ts";

const defaultTimeoutMs = 120_000;

// How long an aborted tool may take to return partial output.
const graceMs = 1_000;

/** Runs the tool under its time limit and the abort signal. */
export function execute(call: Call, context: CallContext): Promise<void> {
  if (context.events.hears("tool:pre")) {
    context.events.emit("tool:pre", describeCall(call, context));
    // A listener may have aborted the call.
    if (call.abortReason !== undefined) throw call.abortReason;
  }
  call.wasExecuted = true;
  call.executedMonotonic = context.clock.monotonic();
  const timeoutMs = call.tool.timeoutMs ?? defaultTimeoutMs;
  if (timeoutMs !== "none") {
    call.timeoutMs = timeoutMs;
    call.expiresAt = call.executedMonotonic + timeoutMs;
    context.deadlines.start(call);
  }
  return new Promise((resolve, reject) => {
    let grace: Timer | undefined;
    call.onAbort = () => {
      grace = context.clock.after(graceMs, () => reject(call.abortReason));
    };
    start(call, context).then(
      (data) => {
        grace?.cancel();
        call.data = data;
        resolve();
      },
      (error) => {
        grace?.cancel();
        reject(call.abortReason === undefined ? error : stopped(call.abortReason, error));
      },
    );
  });
}

/** Cleans up after `execute`, however the call ended. */
export function endExecution(call: Call, context: CallContext): void {
  call.ended = true;
  call.onAbort = undefined;
  if (call.nested?.isOver) call.nested.abort("The program that made this call has ended.");
  if (call.timeoutMs > 0) context.deadlines.stop(call);
}

function start(call: Call, context: CallContext): Promise<unknown> {
  try {
    // A tool written in JavaScript may return a plain value.
    return Promise.resolve(call.tool.execute(call.args, new CallRuntime(call, context)));
  } catch (error) {
    return Promise.reject(error);
  }
}

// The caller must learn why the call was stopped; partial output of the tool is kept.
function stopped(reason: ToolError, error: unknown): ToolError {
  if (!ToolError.isInstance(error) || error.partial === undefined) return reason;
  return new ToolError(reason.code, reason.message, { cause: error, partial: error.partial });
}
