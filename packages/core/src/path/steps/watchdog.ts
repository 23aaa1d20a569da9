import { ToolError } from "@haft/contract";
import { messageOf } from "../../message-of.ts";
import { isLate } from "../../watchdog/combine-watchdogs.ts";
import type { WatchdogVerdict } from "../../watchdog/watchdog.ts";
import { WatchedCall } from "../../watchdog/watched-call.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { untilAborted } from "../until-aborted.ts";

/** Shows the call to the watchdog, which may refuse it or have somebody asked. */
export function watchdog(call: Call, context: CallContext): undefined | Promise<void> {
  if (context.watchdog === undefined) return undefined;
  const verdict = consult(call, context);
  if (!isLate(verdict)) {
    heed(call, verdict);
    return undefined;
  }
  const late = Promise.resolve(verdict).catch(fallenOver);
  return untilAborted(call, late).then((verdict) => heed(call, verdict));
}

function consult(
  call: Call,
  context: CallContext,
): WatchdogVerdict | Promise<WatchdogVerdict> | undefined {
  try {
    return context.watchdog?.(new WatchedCall(call, context));
  } catch (error) {
    return fallenOver(error);
  }
}

function heed(call: Call, verdict: WatchdogVerdict | undefined): void {
  switch (verdict?.action) {
    case "allow":
      return;
    case "ask":
      call.askReason = verdict.reason ?? "the watchdog wants it";
      return;
    case "deny":
      throw new ToolError(
        "blocked-by-watchdog",
        verdict.reason ?? "The watchdog refused this call and gave no reason.",
      );
    default:
      heed(call, fallenOver(new TypeError("it gave no verdict")));
  }
}

// A guard that fell over guards nothing: refuse rather than let everything through.
function fallenOver(error: unknown): WatchdogVerdict {
  return {
    action: "deny",
    reason: `The watchdog failed (${messageOf(error)}), so nothing is let through.`,
  };
}
