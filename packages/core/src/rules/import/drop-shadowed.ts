import { countLiterals } from "@haft/contract/internal";
import type { Rule, RuleAction } from "../rule.ts";
import { compileShellPattern } from "../shell-pattern.ts";
import { anchorRule, type ImportLocation } from "./anchor-rule.ts";
import type { ImportedEntry, ImportedRule, ImportedRules, ImportRemark } from "./imported-rules.ts";
import { mayOverlap, rankOf } from "./may-overlap.ts";

/** An entry of the settings and its import result. */
export interface ReadEntry {
  readonly entry: string;
  readonly read: ImportedEntry;
}

const strictness: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * Combines the imported entries, in the order in which the other program checks them. There the first
 * match decides; in Haft the most specific rule does. So an entry that is milder than an earlier one
 * and would override it in Haft is left out.
 */
export function dropShadowed(entries: readonly ReadEntry[], place?: ImportLocation): ImportedRules {
  const kept: KeptRule[] = [];
  const skipped: ImportRemark[] = [];
  const notes: ImportRemark[] = [];
  for (const { entry, read } of entries) {
    if (read.rules === undefined) {
      skipped.push({ entry, why: read.why });
      continue;
    }
    const isOpen = !read.rules.some(({ isBound }) => isBound);
    const own = read.rules.map((rule) => ({
      entry,
      rule,
      isOpen,
      placed: anchorRule(rule, place),
    }));
    const before = findStricter(own, kept);
    if (before !== undefined) {
      skipped.push({
        entry,
        why: `${before} takes precedence over it there, but would not in Haft`,
      });
      continue;
    }
    kept.push(...own);
    if (read.note !== undefined) notes.push({ entry, why: read.note });
  }
  return { rules: unite(kept), skipped, notes };
}

interface KeptRule {
  readonly entry: string;
  readonly rule: ImportedRule;
  /** The rule with its absolute path. */
  readonly placed: Rule;
  /** The entry allows any words after its own. */
  readonly isOpen: boolean;
}

function findStricter(own: readonly KeptRule[], before: readonly KeptRule[]): string | undefined {
  return before.find(
    ({ rule, placed: earlier }) =>
      !rule.isBound &&
      own.some(
        ({ placed }) =>
          strictness[earlier.action] > strictness[placed.action] &&
          mayOverlap(placed, earlier) &&
          mayWin(placed, earlier),
      ),
  )?.entry;
}

// If one pattern starts at home or at the root of the disk and the other in the project, it is not
// known which is more specific.
function mayWin(rule: Rule, earlier: Rule): boolean {
  const rank = rankOf(rule.permission) - rankOf(earlier.permission);
  if (rank < 0) return false;
  const isComparable =
    rule.permission === "bash" || isFromOutside(rule.pattern) === isFromOutside(earlier.pattern);
  const literals = countPattern(rule) - countPattern(earlier);
  return !isComparable || (literals >= 0 && rank + literals > 0);
}

function countPattern({ permission, pattern }: Rule): number {
  if (/^\*{1,2}$/u.test(pattern)) return 0;
  return permission === "bash" ? compileShellPattern(pattern).literals : countLiterals(pattern);
}

function isFromOutside(pattern: string): boolean {
  return /^[~/]/u.test(pattern);
}

function unite(kept: readonly KeptRule[]): Rule[] {
  const united = new Map<string, Rule>();
  for (const { rule, placed } of kept) {
    const { permission, pattern } = rule;
    if (rule.isBound && isBeyond(pattern, kept)) continue;
    const action = rule.isBound || rule.isWider ? hardened(placed, kept) : rule.action;
    united.set(`${permission} ${pattern} ${action}`, { permission, pattern, action });
  }
  return [...united.values()];
}

// No bound is needed where another entry allows more words.
function isBeyond(bound: string, kept: readonly KeptRule[]): boolean {
  return kept.some(({ rule, isOpen }) => {
    const start = rule.pattern.replace(/ \*$/u, "");
    return isOpen && rule.action === "allow" && bound.startsWith(`${start} `);
  });
}

// An "ask" rule that is wider than its entry must not override a denial of another entry.
function hardened(question: Rule, kept: readonly KeptRule[]): RuleAction {
  const isDenied = kept.some(
    ({ placed }) =>
      placed.action === "deny" && mayOverlap(placed, question) && mayWin(question, placed),
  );
  return question.action === "ask" && isDenied ? "deny" : question.action;
}
