import type { Verdict } from "./compile-rule.ts";
import type { RuleAction } from "./rule.ts";

const strictness: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** The stricter of two verdicts; the first where they are alike. */
export function stricter(a: Verdict, b: Verdict): Verdict {
  return strictness[b.action] > strictness[a.action] ? b : a;
}
