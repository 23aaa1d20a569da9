import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { formatRule } from "../../rules/rule.ts";
import { isLate } from "../../watchdog/combine-watchdogs.ts";
import type { WatchdogVerdict } from "../../watchdog/watchdog.ts";
import { toWatchdogRule } from "../../watchdog/watchdog-answer.ts";
import { WatchedCall } from "../../watchdog/watched-call.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { untilAborted } from "../until-aborted.ts";

/** Shows the call to the watchdog, which may refuse it or require approval. */
export function watchdog(call: Call, context: CallContext): undefined | Promise<void> {
  if (context.watchdog === undefined) return undefined;
  const verdict = consult(call, context);
  if (!isLate(verdict)) {
    applyVerdict(call, verdict, context);
    return undefined;
  }
  const late = Promise.resolve(verdict).catch(refuseAfterFailure);
  return untilAborted(call, late).then((verdict) => applyVerdict(call, verdict, context));
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

function applyVerdict(
  call: Call,
  verdict: WatchdogVerdict | undefined,
  context: CallContext,
): void {
  switch (verdict?.action) {
    case "allow":
      return;
    case "ask":
      call.watchdogRule = toWatchdogRule(call, verdict, context);
      if (isAnswered(call, context)) return;
      call.askReason = verdict.reason ?? "the watchdog requires approval";
      call.isWatched = true;
      return;
    case "deny":
      throw new ToolError(
        "blocked-by-watchdog",
        verdict.reason ?? "The watchdog refused this call and gave no reason.",
      );
    default:
      applyVerdict(call, refuseAfterFailure(new TypeError("it returned no verdict")), context);
  }
}

// A person has answered this question about exactly this call before.
function isAnswered({ name, watchdogRule }: Call, context: CallContext): boolean {
  const answer = watchdogRule && context.rules().answerTo(watchdogRule);
  if (watchdogRule === undefined || answer !== "deny") return answer === "allow";
  const line = formatRule({ ...watchdogRule, action: "deny" });
  throw new ToolError("denied", `${name} was refused by the rule "${line}". It was not run.`);
}

// If the watchdog fails, refuse the call instead of letting everything through.
function refuseAfterFailure(error: unknown): WatchdogVerdict {
  return {
    action: "deny",
    reason: `The watchdog failed (${toErrorMessage(error)}), so the call was refused.`,
  };
}
