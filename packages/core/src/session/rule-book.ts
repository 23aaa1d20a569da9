import { ToolError } from "@haft/contract";
import type { Dialect } from "../dialects/dialect.ts";
import { messageOf } from "../message-of.ts";
import type { RuleBase, ScopedRule } from "../rules/compile-rule.ts";
import { defaultRules } from "../rules/default-rules.ts";
import type { Rule, RuleScope } from "../rules/rule.ts";
import { compileRules, type Ruleset } from "../rules/ruleset.ts";
import { boundRuleset } from "./session-bounds.ts";
import type { SessionOptions } from "./session-options.ts";
import type { SessionRole } from "./session-role.ts";
import type { StoredRules } from "./session-storage.ts";

/** The rules of a session as they stand, compiled once per change. */
export interface RuleBook {
  current(): Ruleset;
  /** All of them, with who made each. */
  list(): readonly ScopedRule[];
  /** Those that were made for this session or the agent in it. */
  own(): readonly ScopedRule[];
  /** The rules as they would be with these beside them. */
  with(rules: readonly Rule[], scope: RuleScope): Ruleset;
  /** Has the stored rules read again before the next call, and those of another role if one is given. */
  refresh(role?: SessionRole): void;
}

/** Brings together the manifest's, the session's, the project's and the default rules. */
export function createRuleBook(
  options: SessionOptions,
  place: { readonly dialect: Dialect; readonly stored: StoredRules },
): RuleBook {
  const { registry, computer } = options;
  const base: RuleBase = {
    roots: computer.roots,
    home: computer.home,
    nativeId: (name) => registry.names(place.dialect).get(name)?.[0]?.tool.id,
    isSandboxed: () => computer.shellIsolation === "sandbox",
  };
  const { dialect, stored } = place;
  const { parent } = options;
  let role: SessionRole = options;
  let compiled: Ruleset | undefined;
  let last: { readonly rules: readonly ScopedRule[]; readonly ruleset: Ruleset } | undefined;
  const own = (): ScopedRule[] => [
    ...(parent?.rules() ?? []),
    ...scoped("manifest", role.manifest?.rules ?? []),
    ...scoped("session", options.rules ?? []),
    // A child's are its parent's, and those came with the parent's own.
    ...scoped("session", parent === undefined ? load(stored, "session") : []),
  ];
  const list = (): ScopedRule[] => [
    ...own(),
    ...scoped("project", load(stored, "project")),
    ...scoped("default", [...defaultRules, ...(dialect.rules ?? [])]),
  ];
  const make = (rules: readonly ScopedRule[]): Ruleset => {
    const ruleset = compile(rules, base);
    return parent === undefined ? ruleset : boundRuleset(ruleset, parent);
  };
  return {
    list,
    own,
    current: () => {
      if (compiled === undefined) {
        const rules = list();
        // Most turns bring no new rules, and compiling takes longer than looking.
        if (last === undefined || !areAlike(last.rules, rules))
          last = { rules, ruleset: make(rules) };
        compiled = last.ruleset;
      }
      return compiled;
    },
    with: (rules, scope) => make([...list(), ...scoped(scope, rules)]),
    refresh: (next = role) => {
      role = next;
      compiled = undefined;
    },
  };
}

function areAlike(some: readonly ScopedRule[], others: readonly ScopedRule[]): boolean {
  return some.length === others.length && some.every((scoped, at) => isAlike(scoped, others[at]));
}

function isAlike(one: ScopedRule, other: ScopedRule | undefined): boolean {
  if (one.rule === other?.rule) return one.scope === other.scope;
  return (
    one.scope === other?.scope &&
    one.rule.permission === other.rule.permission &&
    one.rule.pattern === other.rule.pattern &&
    one.rule.action === other.rule.action &&
    one.rule.when === other.rule.when
  );
}

function compile(rules: readonly ScopedRule[], base: RuleBase): Ruleset {
  try {
    return compileRules(rules, base);
  } catch (error) {
    throw new ToolError("failed", `The rules can't be used: ${messageOf(error)}`);
  }
}

// Rules that can't be read might have denied the call: without them nothing runs.
function load(stored: StoredRules, scope: "session" | "project"): readonly Rule[] {
  try {
    return stored.list(scope);
  } catch (error) {
    throw new ToolError("failed", `The ${scope} rules can't be read: ${messageOf(error)}`);
  }
}

function scoped(scope: RuleScope, rules: readonly Rule[]): ScopedRule[] {
  return rules.map((rule) => ({ rule, scope }));
}
