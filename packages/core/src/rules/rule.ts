/** What a rule decides about matching calls. */
export type RuleAction = "allow" | "ask" | "deny";

/** A permission rule. */
export interface Rule {
  /** A tool id, a capability such as `fs.write`, `mcp:server:tool`, or `*`. */
  readonly permission: string;
  /**
   * What the call touches: a path glob from the workspace root, the first words of a command, a host, a
   * name, or `*`.
   */
  readonly pattern: string;
  readonly action: RuleAction;
  /** The rule applies only in the sandbox. Written after the permission: `bash@sandbox`. */
  readonly when?: "sandbox";
}

/** The origin of a rule. */
export type RuleScope = "manifest" | "session" | "project" | "default";

const actions: readonly string[] = ["allow", "ask", "deny"];
const condition = "@sandbox";

/**
 * Parses a rule of the form `PERMISSION PATTERN ACTION`. Everything between the first and the last word
 * is the pattern. Throws a `TypeError` for an invalid rule.
 *
 * @example
 * ```ts
 * import { parseRule } from "@haft/core";
 *
 * parseRule("write docs/** allow"); // { permission: "write", pattern: "docs/**", action: "allow" }
 * ```
 */
export function parseRule(text: string): Rule {
  const line = text.trim();
  const words = line.split(/\s+/u);
  const subject = words[0] as string;
  const action = words.at(-1) as string;
  const pattern = line.slice(subject.length, -action.length).trim();
  if (pattern === "" || !actions.includes(action)) {
    throw new TypeError(
      `${JSON.stringify(text)} is not a rule. Write PERMISSION PATTERN ACTION, where ACTION is allow, ask or deny: write src/** allow`,
    );
  }
  const isConditional = subject.endsWith(condition);
  const permission = isConditional ? subject.slice(0, -condition.length) : subject;
  // A misspelled condition must not create a rule that never applies.
  if (permission === "" || (permission.includes("@") && !permission.startsWith("mcp:"))) {
    throw new TypeError(
      `${JSON.stringify(text)} is not a rule. The only condition after a permission is ${condition}.`,
    );
  }
  const rule = { permission, pattern, action: action as RuleAction };
  return isConditional ? { ...rule, when: "sandbox" } : rule;
}

/** Tells whether a rule can be stored as a line, so that `parseRule` reads the same rule again. */
export function isStorable(rule: Rule): boolean {
  const line = formatRule(rule);
  return !/[\n\r]/u.test(line) && !line.startsWith("#") && formatRule(parseRule(line)) === line;
}

/** Formats a rule as a line that `parseRule` can read. */
export function formatRule({ permission, pattern, action, when }: Rule): string {
  return `${permission}${when === undefined ? "" : condition} ${pattern} ${action}`;
}
