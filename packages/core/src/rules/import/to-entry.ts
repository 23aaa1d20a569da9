import type { RuleAction } from "../rule.ts";
import type { ImportedEntry, ImportedPattern, ImportedRule } from "./imported-rules.ts";

/** The permissions of an entry. */
export interface EntryTool {
  readonly permissions: readonly string[];
  readonly note?: string | undefined;
}

/** Creates the rules of an entry: its action for each permission and pattern. */
export function toEntry(
  tool: EntryTool,
  pattern: ImportedPattern,
  action: RuleAction,
): ImportedEntry {
  if (pattern.patterns === undefined) return { rules: undefined, why: pattern.why };
  const { patterns, bounds = [], note = tool.note } = pattern;
  const rules = tool.permissions.flatMap((permission): ImportedRule[] => [
    ...patterns.map((one) => ({ permission, pattern: one, action, isWider: isWider(one, note) })),
    // What an allowed command may not go on with is asked.
    ...bounds.map((one) => ({ permission, pattern: one, action: "ask", isBound: true }) as const),
  ]);
  return note === undefined ? { rules } : { rules, note };
}

// A program is held back under whatever path it is named.
function isWider(pattern: string, note: string | undefined): boolean {
  return note !== undefined || /^\S*\//u.test(pattern);
}
