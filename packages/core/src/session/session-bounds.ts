import type { Grant, Tool } from "@haft/contract";
import type { ScopedRule } from "../rules/compile-rule.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import { stricter } from "../rules/stricter.ts";
import type { StoredRules } from "./session-storage.ts";

/** What bounds a child session: all that its parent can pass on. */
export interface SessionBounds {
  /** What the parent may touch in its present turn. */
  readonly grant: Grant;
  /** The parent's rules, inside its own bounds. */
  ruleset(): Ruleset;
  /** Those of the parent's rules that were made for it: the child has them too. */
  rules(): readonly ScopedRule[];
  /** Where the parent keeps what a person allows for the session: a child's "always" is the parent's. */
  readonly stored: StoredRules;
  /** Whether the parent itself could use a tool from elsewhere. */
  allows(tool: Tool): boolean;
}

/** A child's rules, of which none softens the parent's. */
export function boundRuleset(own: Ruleset, bounds: SessionBounds): Ruleset {
  return {
    judge: (tool, subjects) =>
      stricter(own.judge(tool, subjects), bounds.ruleset().judge(tool, subjects)),
    denies: (tool, path, mode) =>
      own.denies(tool, path, mode) || bounds.ruleset().denies(tool, path, mode),
    names: (tool, path) => own.names(tool, path) && !bounds.ruleset().denies(tool, path, "write"),
  };
}
