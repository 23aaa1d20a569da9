import type { Tool } from "@haft/contract";
import { compileGlob, countLiterals, escapeGlob, type PathMatcher } from "@haft/contract/internal";
import type { Rule, RuleAction, RuleScope } from "./rule.ts";
import { compileShellPattern } from "./shell-pattern.ts";
import { capabilityOf, type Subject } from "./subject.ts";

/** A rule and its origin. */
export interface ScopedRule {
  readonly rule: Rule;
  readonly scope: RuleScope;
  /** The rule is not trusted: it may deny and ask, but does not allow anything or override other rules. */
  readonly isUntrusted?: boolean;
}

/** The decision of the rules on a call. */
export interface Verdict {
  readonly action: RuleAction;
  /** Absent if no rule matches, so that the default applies: ask. */
  readonly decidedBy: ScopedRule | undefined;
  /** An explanation in addition to the rule. */
  readonly why?: string;
}

/** The context in which rules are compiled. */
export interface RuleBase {
  readonly roots: readonly string[];
  readonly home: string | undefined;
  /** Returns the native ID of an alias, so that a rule on `Edit` also applies to `edit`. */
  nativeId(name: string): string | undefined;
  /** Tells whether programs run in a sandbox. */
  isSandboxed(): boolean;
  /** Returns the path after following links. */
  identify(path: string): string;
}

/** A compiled rule. */
export interface CompiledRule extends ScopedRule {
  /** The verdict if this rule decides. */
  readonly verdict: Verdict;
  /** 0 for `*`, 1 for all of MCP, 2 for a capability or an MCP server, 3 for one tool. */
  readonly rank: number;
  /** Tells whether the rule can apply to calls of a tool, separately for calls that run commands. */
  concerns(tool: JudgedTool, isCommand: boolean): boolean;
  fitsPermission(tool: JudgedTool, subject: Subject | undefined): boolean;
  /** Returns how much of the subject the pattern spells out, or `undefined` if it does not match. */
  fitPattern(subject: Subject | undefined): number | undefined;
}

/** The properties of a tool that rules depend on. */
export type JudgedTool = Pick<Tool, "id" | "source"> & Partial<Pick<Tool, "requires">>;

/** Compiles a rule. */
export function compileRule(scoped: ScopedRule, base: RuleBase): CompiledRule {
  const { scope, rule } = scoped;
  const { permission, action, when } = rule;
  const native = base.nativeId(permission) ?? permission;
  const isCapability = permission.includes(".");
  const mcp = permission.startsWith("mcp:") ? /^mcp:([^:]+):(.+)$/u.exec(permission) : null;
  const compile = (): CompiledRule["fitPattern"] => findPattern(rule, base);
  // Most of the many default rules are never used, so they are compiled on demand. A mistake in a
  // user's own rule must be reported before anything runs.
  let fitPattern = scope === "default" ? undefined : compile();
  return {
    ...scoped,
    verdict: { action, decidedBy: scoped },
    rank: rankOf(permission, mcp),
    concerns: (tool, isCommand) => {
      if (permission === "*" || isCapability) return true;
      // What is allowed by default is the built-in tool, not a module's tool that took its name.
      const isOther = scope === "default" && action === "allow" && tool.source === "module";
      if (tool.id === native && !isOther) return true;
      if (tool.requires?.capabilities?.includes(permission)) return true;
      // Rules on bash apply to every tool that runs commands.
      if (native === "bash" && isCommand) return true;
      return mcp !== null && fitsMcp(tool, mcp[1] as string, mcp[2] as string);
    },
    fitsPermission: (tool, subject) => {
      if (when === "sandbox" && !base.isSandboxed()) return false;
      if (tool.id === native || permission === "*") return true;
      if (mcp !== null || native === "bash") return true;
      return subject !== undefined && capabilityOf(subject) === permission;
    },
    fitPattern: (subject) => {
      fitPattern ??= compile();
      return fitPattern(subject);
    },
  };
}

/** Returns how specific a permission is; see `CompiledRule`. */
export function rankOf(permission: string, mcp: readonly string[] | null): number {
  if (permission === "*") return 0;
  if (permission.includes(".")) return 2;
  return 3 - (mcp ?? []).filter((part) => part === "*").length;
}

/** Compiled patterns by rule. Each question compiles all rules again, with those that would allow the call. */
const patterns = new WeakMap<RuleBase, WeakMap<Rule, CompiledRule["fitPattern"]>>();

function findPattern(rule: Rule, base: RuleBase): CompiledRule["fitPattern"] {
  const known = patterns.get(base) ?? new WeakMap<Rule, CompiledRule["fitPattern"]>();
  patterns.set(base, known);
  const found = known.get(rule) ?? compilePattern(rule, base);
  known.set(rule, found);
  return found;
}

function compilePattern({ pattern, action }: Rule, base: RuleBase): CompiledRule["fitPattern"] {
  const anything = pattern === "*" || pattern === "**";
  const paths = anything ? [] : anchorPattern(pattern, base).map(compileText);
  const text = anything ? undefined : compileText(pattern);
  const shell = compileShellPattern(anything ? "*" : pattern);
  const fitsCommand = ({ part, reading }: Subject): boolean => {
    if (part !== undefined)
      return action === "allow" ? shell.covers(part, base) : shell.concerns(part);
    // Words that could not be parsed are never allowed by name alone.
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

/**
 * Returns the absolute patterns of a path pattern. Patterns are compared by their literal characters, so a
 * relative one counts with its root.
 */
export function anchorPattern(pattern: string, base: Pick<RuleBase, "roots" | "home">): string[] {
  const whole = pattern.endsWith("/") ? `${pattern}**` : pattern;
  if (whole.startsWith("/")) return [whole];
  if (whole.startsWith("~/") && base.home !== undefined) {
    return [`${escapeGlob(base.home)}${whole.slice(1)}`];
  }
  const relative = whole.replace(/^\.\//u, "");
  return base.roots.map((root) => `${root === "/" ? "" : escapeGlob(root)}/${relative}`);
}
