import { type JsonValue, ToolError } from "@haft/contract";
import { messageOf } from "../../message-of.ts";
import type { Watchdog, WatchdogVerdict } from "../../session/session-options.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { untilAborted } from "../until-aborted.ts";

/** Shows the call to the host's watchdog, which may refuse it or have somebody asked. */
export function watchdog(call: Call, context: CallContext): undefined | Promise<void> {
  return context.watchdog && consult(call, context.watchdog, context);
}

async function consult(call: Call, guard: Watchdog, context: CallContext): Promise<void> {
  const shown = {
    session: context.storage.id,
    callId: call.id,
    tool: call.tool.id,
    arguments: call.args as JsonValue,
    manifest: context.manifest,
  };
  const verdict = await untilAborted(
    call,
    heed(async () => guard(shown)),
  );
  switch (verdict.action) {
    case "allow":
      return;
    case "ask":
      call.askReason = verdict.reason ?? "the watchdog wants it";
      return;
    default:
      throw new ToolError(
        "blocked-by-watchdog",
        verdict.reason ?? "The watchdog refused this call and gave no reason.",
      );
  }
}

async function heed(consult: () => Promise<WatchdogVerdict>): Promise<WatchdogVerdict> {
  try {
    const verdict = await consult();
    if (["allow", "ask", "deny"].includes(verdict.action)) return verdict;
    throw new TypeError("it gave no verdict");
  } catch (error) {
    // A guard that fell over guards nothing: refuse rather than let everything through.
    return {
      action: "deny",
      reason: `The watchdog failed (${messageOf(error)}), so nothing is let through.`,
    };
  }
}
