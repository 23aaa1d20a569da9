import { type FileRules, parseRule } from "@haft/core";

/** Returns rules on files, as a session with these rules has them. */
export function fileRulesOf(root: string, ...lines: readonly string[]): FileRules {
  const set = lines.map((line) => ({ rule: parseRule(line), scope: "session" as const }));
  return { sets: [set], roots: [root], home: undefined };
}
