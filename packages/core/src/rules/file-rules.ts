import type { Rule, RuleScope } from "./rule.ts";

/**
 * The rules that decide which files programs may read and change. It is JSON, because other processes
 * start programs too.
 */
export interface FileRules {
  /** Every set decides for itself, and a path that one of them denies is denied. */
  readonly sets: readonly (readonly FileRule[])[];
  /** What patterns are relative to. */
  readonly roots: readonly string[];
  readonly home: string | undefined;
}

/** A rule on files and its origin. */
export interface FileRule {
  readonly rule: Rule;
  readonly scope: RuleScope;
}

/** Joins rules of several origins. The result denies what any of them denies. */
export function joinFileRules(all: readonly (FileRules | undefined)[]): FileRules | undefined {
  const found = all.filter((rules) => rules !== undefined);
  const [first] = found;
  if (first === undefined || found.length === 1) return first;
  const sets = new Map(found.flatMap((each) => each.sets).map((set) => [JSON.stringify(set), set]));
  return { ...first, sets: [...sets.values()] };
}
