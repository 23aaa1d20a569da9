import { parseRule, type Rule } from "@haft/core";
import { formatRule, isStorable, toVisibleLine } from "@haft/core/internal";
import type { StoredQuestion } from "./inbox-item.ts";

const maxRules = 20;
const maxRuleLength = 2_000;
const watchdogRule = "watchdog:";

/** Tells whether a person may store other rules than the proposed ones. */
export function mayEditRules({ rules }: Pick<StoredQuestion, "rules">): boolean {
  // An answer to the watchdog is about exactly this call.
  return rules.length > 0 && !rules.some((rule) => rule.startsWith(watchdogRule));
}

/**
 * Reads rules that a person wrote instead of the proposed ones. They must allow something, and hold exactly what was
 * seen. Throws a `TypeError` that says what is wrong.
 */
export function readEditedRules(question: StoredQuestion, lines: readonly string[]): Rule[] {
  if (!mayEditRules(question)) throw new TypeError("The rules of this call can't be changed.");
  if (lines.length === 0 || lines.length > maxRules) {
    throw new TypeError(`Give 1 to ${maxRules} rules.`);
  }
  return lines.map((line) => {
    if (line.length > maxRuleLength) {
      throw new TypeError(`A rule has at most ${maxRuleLength} characters.`);
    }
    const shown = toVisibleLine(line);
    if (shown !== line) throw new TypeError(`The rule has characters that can't be seen: ${shown}`);
    const rule = parseRule(line);
    if (rule.action !== "allow") {
      throw new TypeError(`${line}: the rule must allow something. To deny the call, answer no.`);
    }
    if (rule.permission.startsWith(watchdogRule) || !isStorable(rule)) {
      throw new TypeError(`${formatRule(rule)} can't be stored.`);
    }
    return rule;
  });
}
