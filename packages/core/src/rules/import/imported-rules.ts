import type { Rule, RuleAction } from "../rule.ts";

/** What another program's settings mean as rules. */
export interface ImportedRules {
  readonly rules: readonly Rule[];
  /** Entries that became no rule, and why. */
  readonly skipped: readonly ImportRemark[];
  /** Entries whose rules hold for more, or for less, than they said. */
  readonly notes: readonly ImportRemark[];
}

/** Something to be said about an entry of the settings. */
export interface ImportRemark {
  /** As it stands in the settings. */
  readonly entry: string;
  readonly why: string;
}

/** One entry on its way: the rules it becomes, or why it becomes none. */
export type ImportedEntry =
  | { readonly rules: readonly ImportedRule[]; readonly note?: string }
  | { readonly rules: undefined; readonly why: string };

/** A rule that an entry became. */
export interface ImportedRule extends Rule {
  /** It only marks where the entry's permission ends; it is no opinion of the settings'. */
  readonly isBound?: boolean;
  /** It holds for more than the settings say. */
  readonly isWider?: boolean;
}

/** What a foreign pattern becomes: patterns of ours, or why none can be had. */
export type ImportedPattern =
  | {
      readonly patterns: readonly string[];
      readonly bounds?: readonly string[];
      readonly note?: string;
    }
  | { readonly patterns: undefined; readonly why: string };

/** Whether a pattern may only be taken narrower than it was meant, or only wider. */
export type Leaning = "narrower" | "wider";

/** Permissions may not grow by being imported, and prohibitions may not shrink. */
export function leaningOf(action: RuleAction): Leaning {
  return action === "allow" ? "narrower" : "wider";
}
