/** What a rule says about the calls it fits. */
export type RuleAction = "allow" | "ask" | "deny";

/** One line of a ruleset. */
export interface Rule {
  /** A tool id, a capability such as `fs.write`, `mcp:server:tool`, or `*`. */
  readonly permission: string;
  /** What the call is about: a path glob from the workspace root, a host, a name, or `*`. */
  readonly pattern: string;
  readonly action: RuleAction;
}

/** Who made a rule. */
export type RuleScope = "manifest" | "session" | "project" | "default";

const actions: readonly string[] = ["allow", "ask", "deny"];

/** Reads `PERMISSION PATTERN ACTION`; everything between the first and the last word is the pattern. */
export function parseRule(text: string): Rule {
  const fit = /^\s*(\S+)\s+(\S|\S.*\S)\s+(\S+)\s*$/su.exec(text);
  const [, permission, pattern, action] = fit ?? [];
  if (permission === undefined || pattern === undefined || !actions.includes(action ?? "")) {
    throw new TypeError(
      `${JSON.stringify(text)} is not a rule. Write PERMISSION PATTERN ACTION, where ACTION is allow, ask or deny: write src/** allow`,
    );
  }
  return { permission, pattern, action: action as RuleAction };
}

/** The line that `parseRule` reads back. */
export function formatRule(rule: Rule): string {
  return `${rule.permission} ${rule.pattern} ${rule.action}`;
}
