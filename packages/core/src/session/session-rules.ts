import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Dialect } from "../dialects/dialect.ts";
import type { RuleBase, ScopedRule } from "../rules/compile-rule.ts";
import { defaultRules } from "../rules/default-rules.ts";
import type { Rule, RuleScope } from "../rules/rule.ts";
import { compileRules, type Ruleset, restrictRuleset } from "../rules/ruleset.ts";
import type { SessionOptions } from "./session-options.ts";
import type { SessionRole } from "./session-role.ts";
import type { StoredRule, StoredRules } from "./session-storage.ts";

/** The current rules of a session, compiled once per change. */
export interface SessionRules {
  current(): Ruleset;
  /** Returns all rules with their origin. */
  list(): readonly ScopedRule[];
  /** Returns the rules of this session and its agent. */
  own(): readonly ScopedRule[];
  /** Returns the current rules with additional ones. */
  with(rules: readonly Rule[], scope: RuleScope): Ruleset;
  /** Returns the rules of one origin alone. */
  of(scope: RuleScope): Ruleset;
  /** Reloads the stored rules before the next call, optionally with another role. */
  refresh(role?: SessionRole): void;
}

/** Combines the rules of the manifest, the session and the project with the default rules. */
export function createSessionRules(
  options: SessionOptions,
  place: { readonly dialect: Dialect; readonly stored: StoredRules },
): SessionRules {
  const { registry, computer } = options;
  const base: RuleBase = {
    roots: computer.roots,
    home: computer.home,
    nativeId: (name) => registry.names(place.dialect).get(name)?.[0]?.tool.id,
    isSandboxed: () => computer.shellIsolation === "sandbox",
    identify: (path) => computer.identify(path),
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
    // A child's stored rules are its parent's, which are already included.
    ...scoped("session", parent === undefined ? load(stored, "session") : []),
  ];
  const list = (): ScopedRule[] => [
    ...own(),
    ...scoped("project", load(stored, "project")),
    ...scoped("default", [...defaultRules, ...(dialect.rules ?? [])]),
  ];
  const make = (rules: readonly ScopedRule[], bounds = parent?.ruleset): Ruleset => {
    const ruleset = compile(rules, base);
    return bounds === undefined ? ruleset : restrictRuleset(ruleset, bounds);
  };
  return {
    list,
    own,
    current: () => {
      if (compiled === undefined) {
        const rules = list();
        // Most steps have the same rules, and comparing is cheaper than compiling.
        if (last === undefined || !areAlike(last.rules, rules))
          last = { rules, ruleset: make(rules) };
        compiled = last.ruleset;
      }
      return compiled;
    },
    with: (rules, scope) => {
      // A child's rules are stored with its parent, so they widen the parent's rules too.
      const bounds = parent?.rulesetWith(rules, scope);
      return make([...list(), ...scoped(scope, rules)], bounds && (() => bounds));
    },
    of: (scope) =>
      compile(
        list().filter((one) => one.scope === scope),
        base,
      ),
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
  if (one.scope !== other?.scope || one.isUntrusted !== other.isUntrusted) return false;
  if (one.rule === other.rule) return true;
  return (
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
    throw new ToolError("failed", `The rules are invalid: ${toErrorMessage(error)}`);
  }
}

// Unreadable rules might have denied the call, so nothing runs without them.
function load(stored: StoredRules, scope: "session" | "project"): readonly StoredRule[] {
  try {
    return stored.list(scope);
  } catch (error) {
    throw new ToolError("failed", `The ${scope} rules can't be read: ${toErrorMessage(error)}`);
  }
}

function scoped(scope: RuleScope, rules: readonly StoredRule[]): ScopedRule[] {
  return rules.map((rule) =>
    rule.isUntrusted === true ? { rule, scope, isUntrusted: true } : { rule, scope },
  );
}
