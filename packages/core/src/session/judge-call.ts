import { messageOf } from "../message-of.ts";
import type { Call } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import { available } from "../path/steps/available.ts";
import { capability } from "../path/steps/capability.ts";
import { describeVerdict, judgeByRules } from "../path/steps/rules.ts";
import { watchdog } from "../path/steps/watchdog.ts";
import { understandCall } from "../path/understand-call.ts";
import { formatRule, type RuleAction, type RuleScope } from "../rules/rule.ts";

/** Which part of the path decides about a call; of the rules, whose. `none`: no rule fits. */
export type JudgementLayer =
  | "arguments"
  | "available"
  | "capability"
  | "watchdog"
  | RuleScope
  | "none";

/** What would become of a call, and who says so. */
export interface Judgement {
  readonly action: RuleAction;
  readonly layer: JudgementLayer;
  /** The rule that decides, as a line; null where it is none. */
  readonly rule: string | null;
  readonly why: string;
}

/** Takes a call through every check and runs nothing. */
export async function judgeCall(call: Call, context: CallContext): Promise<Judgement> {
  const refused =
    (await attempt("arguments", () => understandCall(call, context))) ??
    (await attempt("available", () => available(call, context))) ??
    (await attempt("capability", () => capability(call, context)));
  if (refused !== undefined) return refused;
  const byRules = fromRules(call, context);
  if (byRules.action === "deny") return byRules;
  const blocked = await attempt("watchdog", () => watchdog(call, context));
  if (blocked !== undefined) return blocked;
  if (byRules.action === "ask" || call.askReason === undefined) return byRules;
  return { action: "ask", layer: "watchdog", rule: null, why: call.askReason };
}

function fromRules(call: Call, context: CallContext): Judgement {
  const verdict = judgeByRules(call, context);
  const { decidedBy } = verdict;
  return {
    action: verdict.action,
    layer: decidedBy?.scope ?? "none",
    rule: decidedBy === undefined ? null : formatRule(decidedBy.rule),
    why: describeVerdict(call, verdict),
  };
}

async function attempt(
  layer: Exclude<JudgementLayer, RuleScope | "none">,
  step: () => unknown,
): Promise<Judgement | undefined> {
  try {
    await step();
    return undefined;
  } catch (error) {
    return { action: "deny", layer, rule: null, why: messageOf(error) };
  }
}
