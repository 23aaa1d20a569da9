import {
  compileGlob,
  countLiterals,
  escapeGlob,
  type PathMatcher,
  type Tool,
} from "@haft/contract";
import type { Rule, RuleAction, RuleScope } from "./rule.ts";
import { compileShellPattern } from "./shell-pattern.ts";
import { capabilityOf, type Subject } from "./subject.ts";

/** A rule and who made it. */
export interface ScopedRule {
  readonly rule: Rule;
  readonly scope: RuleScope;
}

/** What the rules say about a call, and which of them decided. */
export interface Verdict {
  readonly action: RuleAction;
  /** Absent where no rule fits and the general default, to ask, holds. */
  readonly decidedBy: ScopedRule | undefined;
  /** What the rule, or the lack of one, does not tell by itself. */
  readonly why?: string;
}

/** Where patterns start and what permission names stand for. */
export interface RuleBase {
  readonly roots: readonly string[];
  readonly home: string | undefined;
  /** The native id behind an alias, so that a rule on `Edit` also governs `edit`. */
  nativeId(name: string): string | undefined;
  /** Whether programs run in a sandbox. */
  isSandboxed(): boolean;
}

/** A rule made ready to be held against calls. */
export interface CompiledRule extends ScopedRule {
  /** What is said where this rule decides. */
  readonly verdict: Verdict;
  /** 0 for `*`, 1 for all of MCP, 2 for a capability or an MCP server, 3 for one tool. */
  readonly rank: number;
  /** Whether it can fit calls of a tool at all; those that run commands are asked for apart. */
  concerns(tool: JudgedTool, isCommand: boolean): boolean;
  fitsPermission(tool: JudgedTool, subject: Subject | undefined): boolean;
  /** How much of the subject the pattern spells out; `undefined` if it does not fit. */
  fitPattern(subject: Subject | undefined): number | undefined;
}

/** What rules look at of a tool. */
export type JudgedTool = Pick<Tool, "id" | "source">;

/** Makes a rule ready. */
export function compileRule(scoped: ScopedRule, base: RuleBase): CompiledRule {
  const { permission, pattern, action, when } = scoped.rule;
  const native = base.nativeId(permission) ?? permission;
  const isCapability = permission.includes(".");
  const mcp = permission.startsWith("mcp:") ? /^mcp:([^:]+):(.+)$/u.exec(permission) : null;
  const compile = (): CompiledRule["fitPattern"] => compilePattern(pattern, action, base);
  // Of the default rules, which are many and sound, most are never held against anything. Of
  // people's own one that makes no sense must be known before anything runs.
  let fitPattern = scoped.scope === "default" ? undefined : compile();
  return {
    ...scoped,
    verdict: { action, decidedBy: scoped },
    rank: rankOf(permission, mcp),
    concerns: (tool, isCommand) => {
      if (permission === "*" || isCapability || tool.id === native) return true;
      // Whatever runs commands is governed by what is said of commands.
      if (native === "bash" && isCommand) return true;
      return mcp !== null && fitsMcp(tool, mcp[1] as string, mcp[2] as string);
    },
    fitsPermission: (tool, subject) => {
      if (when === "sandbox" && !base.isSandboxed()) return false;
      if (!isCapability || tool.id === native) return true;
      return subject !== undefined && capabilityOf(subject) === permission;
    },
    fitPattern: (subject) => {
      fitPattern ??= compile();
      return fitPattern(subject);
    },
  };
}

function rankOf(permission: string, mcp: readonly string[] | null): number {
  if (permission === "*") return 0;
  if (permission.includes(".")) return 2;
  return 3 - (mcp ?? []).filter((part) => part === "*").length;
}

function compilePattern(
  pattern: string,
  action: RuleAction,
  base: RuleBase,
): CompiledRule["fitPattern"] {
  const anything = pattern === "*" || pattern === "**";
  const paths = anything ? [] : anchorPattern(pattern, base).map(compileText);
  const text = anything ? undefined : compileText(pattern);
  const shell = compileShellPattern(anything ? "*" : pattern);
  const fitsCommand = ({ part, reading }: Subject): boolean => {
    if (part !== undefined) return action === "allow" ? shell.covers(part) : shell.concerns(part);
    // Of words that nobody could read together, none is allowed for its name alone.
    return action !== "allow" && shell.isAmong(reading?.looseWords ?? []);
  };
  return (subject) => {
    if (subject?.type === "command") return fitsCommand(subject) ? shell.literals : undefined;
    if (text === undefined) return 0;
    if (subject === undefined) return undefined;
    for (const { matches, literals } of subject.type === "file" ? paths : [text]) {
      if (matches(subject.key)) return literals;
    }
    return undefined;
  };
}

function fitsMcp(tool: JudgedTool, server: string, name: string): boolean {
  if (tool.source !== "mcp") return false;
  if (server === "*") return name === "*" || tool.id.endsWith(`__${name}`);
  const prefix = `mcp__${server}__`;
  return name === "*" ? tool.id.startsWith(prefix) : tool.id === `${prefix}${name}`;
}

interface TextPattern {
  readonly matches: PathMatcher;
  readonly literals: number;
}

function compileText(pattern: string): TextPattern {
  return { matches: compileGlob(pattern), literals: countLiterals(pattern) };
}

// Patterns are compared by what they spell out, so a relative one counts with the root it hangs on.
function anchorPattern(pattern: string, base: RuleBase): string[] {
  const whole = pattern.endsWith("/") ? `${pattern}**` : pattern;
  if (whole.startsWith("/")) return [whole];
  if (whole.startsWith("~/") && base.home !== undefined) {
    return [`${escapeGlob(base.home)}${whole.slice(1)}`];
  }
  const relative = whole.replace(/^\.\//u, "");
  return base.roots.map((root) => `${root === "/" ? "" : escapeGlob(root)}/${relative}`);
}
