/** What a rule says about the calls it fits. */
export type RuleAction = "allow" | "ask" | "deny";

/** One line of a ruleset. */
export interface Rule {
  /** A tool id, a capability such as `fs.write`, `mcp:server:tool`, or `*`. */
  readonly permission: string;
  /**
   * What the call is about: a path glob from the workspace root, the words that a command starts
   * with, a host, a name, or `*`.
   */
  readonly pattern: string;
  readonly action: RuleAction;
  /** Holds only for what runs in the sandbox. Written behind the permission: `bash@sandbox`. */
  readonly when?: "sandbox";
}

/** Who made a rule. */
export type RuleScope = "manifest" | "session" | "project" | "default";

const actions: readonly string[] = ["allow", "ask", "deny"];
const condition = "@sandbox";

/** Reads `PERMISSION PATTERN ACTION`; everything between the first and the last word is the pattern. */
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
  // A condition that is misspelled must not make a rule that never holds.
  if (permission === "" || (permission.includes("@") && !permission.startsWith("mcp:"))) {
    throw new TypeError(
      `${JSON.stringify(text)} is not a rule: behind a permission only ${condition} is understood.`,
    );
  }
  const rule = { permission, pattern, action: action as RuleAction };
  return isConditional ? { ...rule, when: "sandbox" } : rule;
}

/** The line that `parseRule` reads back. */
export function formatRule({ permission, pattern, action, when }: Rule): string {
  return `${permission}${when === undefined ? "" : condition} ${pattern} ${action}`;
}
