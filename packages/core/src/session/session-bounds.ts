import type { Grant, Tool } from "@haft/contract";
import type { SessionHooks } from "../hooks/session-hooks.ts";
import type { ScopedRule } from "../rules/compile-rule.ts";
import type { Rule, RuleScope } from "../rules/rule.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import type { StoredRules } from "./session-storage.ts";

/** The limits of a child session: everything that its parent can pass on. */
export interface SessionBounds {
  /** The parent's grant in its current step. */
  readonly grant: Grant;
  /** The parent's rules, within its own bounds. */
  ruleset(): Ruleset;
  /** The parent's rules with additional ones, within its own bounds. */
  rulesetWith(rules: readonly Rule[], scope: RuleScope): Ruleset;
  /** The rules of the parent session and its agent, which the child has too. */
  rules(): readonly ScopedRule[];
  /** The parent's stored rules. A child's "always" answers are stored there. */
  readonly stored: StoredRules;
  /** The parent's hooks, which run around the child's calls too. */
  readonly hooks: SessionHooks | undefined;
  /** Tells whether the parent may use a tool that is not built in. */
  allows(tool: Tool): boolean;
}
