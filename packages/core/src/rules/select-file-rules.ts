import type { RuleBase, ScopedRule } from "./compile-rule.ts";
import type { FileRule, FileRules } from "./file-rules.ts";

/** Returns those of a set of rules that apply to files of programs; `undefined` if they deny none. */
export function selectFileRules(
  rules: readonly ScopedRule[],
  { roots, home, nativeId, isSandboxed }: Omit<RuleBase, "identify">,
): FileRules | undefined {
  const set = rules.flatMap(({ rule, scope }): readonly FileRule[] => {
    const { pattern, action, when } = rule;
    const permission = nativeId(rule.permission) ?? rule.permission;
    if (scope === "default" || !permissions.has(permission)) return [];
    // Such a rule decides which calls are made, and names no files.
    if (permission === "*" && /^\*\*?$/u.test(pattern)) return [];
    if (when === "sandbox" && !isSandboxed()) return [];
    return [{ rule: { permission, pattern, action }, scope }];
  });
  const denies = set.some(({ rule }) => rule.action === "deny");
  return denies ? { sets: [set], roots, home } : undefined;
}

// Programs read and write files, so what applies to `read` and `write` applies to them.
const permissions: ReadonlySet<string> = new Set(["*", "fs.read", "fs.write", "read", "write"]);
