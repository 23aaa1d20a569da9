import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { isLate } from "../../watchdog/combine-watchdogs.ts";
import type { WatchdogVerdict } from "../../watchdog/watchdog.ts";
import { WatchedCall } from "../../watchdog/watched-call.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { untilAborted } from "../until-aborted.ts";

/** Shows the call to the watchdog, which may refuse it or require approval. */
export function watchdog(call: Call, context: CallContext): undefined | Promise<void> {
  if (context.watchdog === undefined) return undefined;
  const verdict = consult(call, context);
  if (!isLate(verdict)) {
    applyVerdict(call, verdict);
    return undefined;
  }
  const late = Promise.resolve(verdict).catch(refuseAfterFailure);
  return untilAborted(call, late).then((verdict) => applyVerdict(call, verdict));
}

function consult(
  call: Call,
  context: CallContext,
): WatchdogVerdict | Promise<WatchdogVerdict> | undefined {
  try {
    return context.watchdog?.(new WatchedCall(call, context));
  } catch (error) {
    return refuseAfterFailure(error);
  }
}

function applyVerdict(call: Call, verdict: WatchdogVerdict | undefined): void {
  switch (verdict?.action) {
    case "allow":
      return;
    case "ask":
      call.askReason = verdict.reason ?? "the watchdog requires approval";
      call.isWatched = true;
      return;
    case "deny":
      throw new ToolError(
        "blocked-by-watchdog",
        verdict.reason ?? "The watchdog refused this call and gave no reason.",
      );
    default:
      applyVerdict(call, refuseAfterFailure(new TypeError("it returned no verdict")));
  }
}

// If the watchdog fails, refuse the call instead of letting everything through.
function refuseAfterFailure(error: unknown): WatchdogVerdict {
  return {
    action: "deny",
    reason: `The watchdog failed (${toErrorMessage(error)}), so the call was refused.`,
  };
}
