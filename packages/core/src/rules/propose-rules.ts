import type { Tool } from "@haft/contract";
import { escapeGlob } from "@haft/contract/internal";
import type { Rule } from "./rule.ts";
import { toShellPattern } from "./shell-pattern.ts";
import type { Subject } from "./subject.ts";

/** The properties of a call that rules are made of. */
export interface ProposedCall {
  readonly tool: Pick<Tool, "id">;
  readonly subjects: readonly Subject[];
}

/**
 * Returns rules for exactly what this call touches. For a command these are its words and the files
 * that it writes. They don't allow what is uncertain about it.
 */
export function proposeRules({ tool, subjects }: ProposedCall, roots: readonly string[]): Rule[] {
  const permission = tool.id;
  if (subjects.length === 0) return [{ permission, pattern: "*", action: "allow" }];
  const rules = subjects.flatMap((subject): Rule[] => {
    if (subject.type === "command") return proposeForCommand(permission, subject, roots);
    const literal = escapeGlob(
      subject.type === "file" ? relativeToRoots(subject.key, roots) : subject.key,
    );
    const pattern = subject.tree ? `${literal}/**` : literal;
    return [{ permission, pattern, action: "allow" }];
  });
  return rules.filter((rule, index) => rules.findIndex((other) => isSame(other, rule)) === index);
}

/**
 * Returns rules for calls like this one: what it does to files, it may do to the others beside them.
 * Hidden files and directories stay as they are, because those configure programs.
 */
export function widenRules(rules: readonly Rule[]): readonly Rule[] {
  return rules.map((rule) => {
    const isFile = filePermissions.has(rule.permission);
    const isHidden = rule.pattern.split("/").some((part) => part.startsWith("."));
    if (!isFile || isHidden || rule.pattern.endsWith("*")) return rule;
    if (rule.pattern.includes("/")) {
      return { ...rule, pattern: rule.pattern.replace(/[^/]*$/u, "*") };
    }
    // A bare `*` stands for everything.
    const extension = /\.[^.]+$/u.exec(rule.pattern)?.[0];
    return extension === undefined ? rule : { ...rule, pattern: `*${extension}` };
  });
}

const filePermissions: ReadonlySet<string> = new Set([
  "read",
  "write",
  "edit",
  "multi_edit",
  "apply_patch",
  "delete_file",
  "move_file",
  "format_file",
]);

function proposeForCommand(
  permission: string,
  { reading }: Subject,
  roots: readonly string[],
): Rule[] {
  const commands = (reading?.commands ?? []).flatMap(({ words }): Rule[] => {
    if (words.length === 0 || !words.every((word) => word !== undefined)) return [];
    return [{ permission, pattern: toShellPattern(words), action: "allow" }];
  });
  const writes = (reading?.writes ?? []).flatMap(({ path, landing, refusal }): Rule[] => {
    if (path === undefined || refusal !== undefined) return [];
    return [path, ...(landing === undefined ? [] : [landing])].map((written) => ({
      permission: "write",
      pattern: escapeGlob(relativeToRoots(written, roots)),
      action: "allow",
    }));
  });
  return [...commands, ...writes];
}

function isSame(a: Rule, b: Rule): boolean {
  return a.permission === b.permission && a.pattern === b.pattern;
}

/** Returns a path relative to the only root, as patterns of rules are; otherwise the path itself. */
export function relativeToRoots(path: string, roots: readonly string[]): string {
  const [root] = roots;
  // A relative pattern holds below every root, and `~` stands for the home directory.
  const isClear = roots.length === 1 && !path.startsWith(`${root}/~`);
  return isClear && path.startsWith(`${root}/`) ? path.slice(`${root}/`.length) : path;
}
