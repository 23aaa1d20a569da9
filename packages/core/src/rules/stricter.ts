import type { Verdict } from "./compile-rule.ts";
import type { RuleAction } from "./rule.ts";

const strictness: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** Returns the stricter of two verdicts. If they are equal, one that a rule decided, or the first. */
export function stricter(a: Verdict, b: Verdict): Verdict {
  if (a.action === b.action) return a.decidedBy === undefined && b.decidedBy !== undefined ? b : a;
  return strictness[b.action] > strictness[a.action] ? b : a;
}
