import { escapeGlob, type Tool } from "@haft/contract";
import type { Rule } from "./rule.ts";
import { toShellPattern } from "./shell-pattern.ts";
import type { Subject } from "./subject.ts";

/** A call as far as rules can be made of it. */
export interface ProposedCall {
  readonly tool: Pick<Tool, "id">;
  readonly subjects: readonly Subject[];
}

/**
 * The rules that "always" would store: exactly what this call touches, nothing wider. Of a command
 * they are its words; what is not certain in it stays to be asked, whatever is stored.
 */
export function proposeRules({ tool, subjects }: ProposedCall, roots: readonly string[]): Rule[] {
  const permission = tool.id;
  if (subjects.length === 0) return [{ permission, pattern: "*", action: "allow" }];
  const rules = subjects.flatMap((subject): Rule[] => {
    if (subject.type === "command") return proposeForCommand(permission, subject, roots);
    const literal = escapeGlob(
      subject.type === "file" ? relative(subject.key, roots) : subject.key,
    );
    const pattern = subject.tree ? `${literal}/**` : literal;
    return [{ permission, pattern, action: "allow" }];
  });
  return rules.filter((rule, index) => rules.findIndex((other) => isSame(other, rule)) === index);
}

function proposeForCommand(
  permission: string,
  { reading }: Subject,
  roots: readonly string[],
): Rule[] {
  const commands = (reading?.commands ?? []).flatMap(({ words }): Rule[] => {
    if (words.length === 0 || !words.every((word) => word !== undefined)) return [];
    return [{ permission, pattern: toShellPattern(words), action: "allow" }];
  });
  const writes = (reading?.writes ?? []).flatMap(({ path, refusal }): Rule[] => {
    if (path === undefined || refusal !== undefined) return [];
    return [{ permission: "write", pattern: escapeGlob(relative(path, roots)), action: "allow" }];
  });
  return [...commands, ...writes];
}

function isSame(a: Rule, b: Rule): boolean {
  return a.permission === b.permission && a.pattern === b.pattern;
}

function relative(path: string, roots: readonly string[]): string {
  const [root] = roots;
  // A relative pattern holds below every root, and `~` stands for the home directory.
  const isClear = roots.length === 1 && !path.startsWith(`${root}/~`);
  return isClear && path.startsWith(`${root}/`) ? path.slice(`${root}/`.length) : path;
}
