import type { Rule, RuleAction } from "../rule.ts";

/** Rules imported from another program's settings. */
export interface ImportedRules {
  readonly rules: readonly Rule[];
  /** Entries that were not imported, and why. */
  readonly skipped: readonly ImportRemark[];
  /** Entries whose rules cover more or less than the entry. */
  readonly notes: readonly ImportRemark[];
}

/** A remark about an entry of the settings. */
export interface ImportRemark {
  /** As it stands in the settings. */
  readonly entry: string;
  readonly why: string;
}

/** The rules of an entry, or why it has none. */
export type ImportedEntry =
  | { readonly rules: readonly ImportedRule[]; readonly note?: string }
  | { readonly rules: undefined; readonly why: string };

/** A rule that an entry became. */
export interface ImportedRule extends Rule {
  /** The rule only bounds the entry's permission and is not in the settings. */
  readonly isBound?: boolean;
  /** The rule covers more than the settings say. */
  readonly isWider?: boolean;
}

/** The patterns of Haft for a foreign pattern, or why there are none. */
export type ImportedPattern =
  | {
      readonly patterns: readonly string[];
      readonly bounds?: readonly string[];
      readonly note?: string;
    }
  | { readonly patterns: undefined; readonly why: string };

/** Whether an inexact conversion may only narrow a pattern, or only widen it. */
export type Leaning = "narrower" | "wider";

/** Permissions may not grow by being imported, and prohibitions may not shrink. */
export function leaningOf(action: RuleAction): Leaning {
  return action === "allow" ? "narrower" : "wider";
}
