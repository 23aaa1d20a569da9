import { type JsonValue, ToolError } from "@haft/contract";
import type { AskAnswer } from "../../hosts/host.ts";
import { messageOf } from "../../message-of.ts";
import { proposeRules } from "../../rules/propose-rules.ts";
import type { Rule } from "../../rules/rule.ts";
import type { Call } from "../call.ts";
import { enterState } from "../call-events.ts";
import type { CallContext } from "../context.ts";
import { previewRules } from "../preview-rules.ts";
import { untilAborted } from "../until-aborted.ts";

/** Has a person decide, if the rules or the watchdog want it, and stores an "always" or "never". */
export function ask(call: Call, context: CallContext): undefined | Promise<void> {
  if (call.askReason === undefined || call.isApproved) return undefined;
  return askHost(call, call.askReason, context);
}

async function askHost(call: Call, reason: string, context: CallContext): Promise<void> {
  const rules = proposeRules(call, context.computer.roots);
  if (!context.host.headless) enterState(call, "blocked-on-user", context);
  const answer = await untilAborted(
    call,
    context.host.ask({
      session: context.storage.id,
      callId: call.id,
      name: call.name,
      tool: call.tool.id,
      arguments: context.secrets.hideInData(call.args as JsonValue),
      reason,
      rules,
      wouldAllow: () => previewRules(rules, call, context),
      signal: call.signal,
    }),
  );
  switch (answer.answer) {
    case "once":
      break;
    case "session":
    case "project":
      await storeRules(answer.rules ?? rules, answer.answer, context);
      break;
    case "never":
      await storeRules((answer.rules ?? rules).map(toDenial), "session", context);
      throw rejection(call, answer);
    // Whatever else a host may say, it is not a yes.
    default:
      throw rejection(call, answer);
  }
  enterState(call, "in-progress", context);
}

function rejection(call: Call, { reason }: AskAnswer): ToolError {
  return new ToolError(
    "rejected-by-user",
    reason ?? `The user rejected this call of ${call.name}. It was not run.`,
  );
}

function toDenial(rule: Rule): Rule {
  return { ...rule, action: "deny" };
}

async function storeRules(
  rules: readonly Rule[],
  scope: "session" | "project",
  context: CallContext,
): Promise<void> {
  try {
    for (const rule of rules) await context.stored.add(scope, rule);
  } catch (error) {
    // The person decided about this call in any case; only the next one will be asked again.
    context.events.warn(`A ${scope} rule could not be stored: ${messageOf(error)}`);
  }
  context.rulesChanged();
}
