import { countLiterals } from "@haft/contract";
import type { Rule, RuleAction } from "../rule.ts";
import { compileShellPattern } from "../shell-pattern.ts";
import type { ImportedEntry, ImportedRule, ImportedRules, ImportRemark } from "./imported-rules.ts";
import { mayOverlap, rankOf } from "./may-overlap.ts";
import { type ImportPlace, placeRule } from "./place-rule.ts";

/** An entry of the settings with what became of it. */
export interface ReadEntry {
  readonly entry: string;
  readonly read: ImportedEntry;
}

const strictness: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * Puts together what the entries became, in the order in which the other program asks them. There
 * the first that fits decides; here the most specific does. So what is milder than an entry before
 * it, and would win over it here, is left out.
 */
export function dropShadowed(entries: readonly ReadEntry[], place?: ImportPlace): ImportedRules {
  const kept: KeptRule[] = [];
  const skipped: ImportRemark[] = [];
  const notes: ImportRemark[] = [];
  for (const { entry, read } of entries) {
    if (read.rules === undefined) {
      skipped.push({ entry, why: read.why });
      continue;
    }
    const isOpen = !read.rules.some(({ isBound }) => isBound);
    const own = read.rules.map((rule) => ({ entry, rule, isOpen, placed: placeRule(rule, place) }));
    const before = findStricter(own, kept);
    if (before !== undefined) {
      skipped.push({ entry, why: `${before} goes before it there, and would not here` });
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
  /** The same with its path in full. */
  readonly placed: Rule;
  /** The entry allows whatever comes behind its words. */
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

// Where one starts at home or at the root of the disk and the other in the project, it is not known
// which spells out more.
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

// What another entry allows to go on needs no bound.
function isBeyond(bound: string, kept: readonly KeptRule[]): boolean {
  return kept.some(({ rule, isOpen }) => {
    const start = rule.pattern.replace(/ \*$/u, "");
    return isOpen && rule.action === "allow" && bound.startsWith(`${start} `);
  });
}

// Where a question holds for more than was said, it must not soften what another entry denies.
function hardened(question: Rule, kept: readonly KeptRule[]): RuleAction {
  const isDenied = kept.some(
    ({ placed }) =>
      placed.action === "deny" && mayOverlap(placed, question) && mayWin(question, placed),
  );
  return question.action === "ask" && isDenied ? "deny" : question.action;
}
