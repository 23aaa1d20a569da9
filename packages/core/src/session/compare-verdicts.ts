import type { Call } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import { available } from "../path/steps/available.ts";
import { judgeByRules } from "../path/steps/rules.ts";
import { understandCall } from "../path/understand-call.ts";
import type { Verdict } from "../rules/compile-rule.ts";
import { formatRule, type Rule } from "../rules/rule.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import { attempt, type Judgement, judgeCall } from "./judge-call.ts";

/** The outcomes of checking a call without and with more rules. */
export interface ComparedVerdicts {
  readonly before: Judgement;
  readonly after: Judgement;
}

/**
 * Returns a function that checks calls without and with more rules of the session. It returns `undefined` for a call
 * about which the same rule decides in the same way: most calls are not checked further, which is what takes long.
 */
export function createVerdictComparison(
  rules: readonly Rule[],
  context: CallContext,
): (make: () => Call) => Promise<ComparedVerdicts | undefined> {
  const ruleset = context.rulesWith(rules, "session");
  const changed: CallContext = Object.assign(Object.create(context), { rules: () => ruleset });
  const isAboutWatchdog = rules.some(({ permission }) => permission.startsWith("watchdog:"));
  return async (make) => {
    const call = make();
    const refused =
      (await attempt("arguments", () => understandCall(call, context))) ??
      (await attempt("available", () => available(call, context)));
    if (refused !== undefined) return { before: refused, after: refused };
    if (!isAboutWatchdog && decideAlike(call, context, ruleset)) return undefined;
    return { before: await judgeCall(make(), context), after: await judgeCall(make(), changed) };
  };
}

function decideAlike(call: Call, context: CallContext, ruleset: Ruleset): boolean {
  const { tool, subjects } = call;
  const current = context.rules();
  const [one, other] = [judgeByRules(call, context), judgeByRules(call, context, ruleset)];
  // A protected file is checked again when it is used, by whether a rule names it.
  return (
    toText(one) === toText(other) &&
    subjects.every(({ type, key }) => {
      if (type !== "file") return true;
      const landing = context.computer.identify(key);
      return [key, landing].every(
        (path) => current.names(tool, path) === ruleset.names(tool, path),
      );
    })
  );
}

function toText({ action, decidedBy }: Verdict): string {
  return decidedBy === undefined
    ? action
    : `${action} ${decidedBy.scope} ${formatRule(decidedBy.rule)}`;
}
