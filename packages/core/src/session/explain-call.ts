import type { Call } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import { available } from "../path/steps/available.ts";
import { capability } from "../path/steps/capability.ts";
import { recordable } from "../path/steps/record.ts";
import { describeVerdict, judgeByRules } from "../path/steps/rules.ts";
import { watchdog } from "../path/steps/watchdog.ts";
import { understandCall } from "../path/understand-call.ts";
import { formatRule, type RuleAction, type RuleScope } from "../rules/rule.ts";
import { attempt, type Judgement, type JudgementStage, judgeUses } from "./judge-call.ts";
import { type CallUse, listUses } from "./list-uses.ts";

/** The verdict of one check on a call, taken by itself. */
export interface JudgedLayer {
  readonly layer: JudgementStage;
  /** `none`: no rule of this origin is about the call. */
  readonly action: RuleAction | "none";
  /** The deciding rule as a line, or null. */
  readonly rule: string | null;
  readonly why: string;
}

/** The verdicts of all checks on a call, and what it touches. */
export interface ExplainedCall {
  /** In the order of the checks. */
  readonly layers: readonly JudgedLayer[];
  /** Empty if the arguments are not valid. */
  readonly uses: readonly CallUse[];
}

const scopes: readonly RuleScope[] = ["manifest", "session", "project", "default"];

/**
 * Returns the verdict of every check on a call and what it touches, without running it. Unlike `judgeCall` it goes on after a refusal, as far as later checks can be made.
 */
export async function explainCall(call: Call, context: CallContext): Promise<ExplainedCall> {
  const layers: JudgedLayer[] = [];
  const note = (layer: JudgementStage, refused: Judgement | undefined, passed: string): boolean => {
    layers.push(
      refused === undefined
        ? { layer, action: "allow", rule: null, why: passed }
        : { layer, action: refused.action, rule: refused.rule, why: refused.why },
    );
    return refused === undefined;
  };
  const isUnderstood = note(
    "arguments",
    await attempt("arguments", () => understandCall(call, context)),
    "The arguments are valid.",
  );
  // Without valid arguments it is not known what the call touches.
  if (!isUnderstood) return { layers, uses: [] };
  const explained: ExplainedCall = { layers, uses: listUses(call) };
  note(
    "available",
    await attempt("available", () => available(call, context)),
    "The session has the tool.",
  );
  const isGranted = note(
    "capability",
    await attempt("capability", () => capability(call, context)),
    "What the call touches is within the grant.",
  );
  for (const scope of scopes) layers.push(judgeScope(call, scope, context));
  if (!isGranted) return explained;
  const refused = await attempt("watchdog", () => watchdog(call, context));
  if (refused === undefined && call.isWatched) {
    layers.push({ layer: "watchdog", action: "ask", rule: null, why: call.askReason ?? "" });
  } else note("watchdog", refused, "The watchdog does not object.");
  note(
    "record",
    await attempt("record", () => recordable(call, context)),
    "The call can be recorded.",
  );
  const unused = await judgeUses(call, context, []);
  if (unused !== undefined) note(unused.stage, unused, "");
  return explained;
}

function judgeScope(call: Call, scope: RuleScope, context: CallContext): JudgedLayer {
  const verdict = judgeByRules(call, context, context.rulesOf(scope));
  const { action, decidedBy } = verdict;
  if (decidedBy === undefined) {
    return { layer: scope, action: "none", rule: null, why: "No rule here is about this call." };
  }
  return {
    layer: scope,
    action,
    rule: formatRule(decidedBy.rule),
    why: describeVerdict(call, verdict),
  };
}
