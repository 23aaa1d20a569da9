import {
  compileGlob,
  countLiterals,
  escapeGlob,
  type PathMatcher,
  type Tool,
} from "@haft/contract";
import type { Rule, RuleAction, RuleScope } from "./rule.ts";
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
}

/** Where patterns start and what permission names stand for. */
export interface RuleBase {
  readonly roots: readonly string[];
  readonly home: string | undefined;
  /** The native id behind an alias, so that a rule on `Edit` also governs `edit`. */
  nativeId(name: string): string | undefined;
}

/** Rules made ready to judge calls. */
export interface Ruleset {
  judge(tool: Tool, subjects: readonly Subject[]): Verdict;
  /** Whether a path that a call did not name itself may not be read, or written. */
  denies(tool: Tool, path: string, mode: "read" | "write"): boolean;
  /** Whether a rule spells out this very path and allows it to be changed. */
  names(tool: Tool, path: string): boolean;
}

interface CompiledRule extends ScopedRule {
  /** What is said where this rule decides. */
  readonly verdict: Verdict;
  /** 0 for `*`, 1 for a capability or an MCP server, 2 for one tool. */
  readonly rank: number;
  fitsPermission(tool: Tool, subject: Subject | undefined): boolean;
  /** How much of the subject the pattern spells out; `undefined` if it does not fit. */
  fitPattern(subject: Subject | undefined): number | undefined;
}

/** A rule that fits a subject, and how closely. */
interface Fit {
  readonly rule: CompiledRule;
  readonly literals: number;
}

interface Layers {
  readonly explicit: readonly CompiledRule[];
  readonly defaults: readonly CompiledRule[];
}

const strictness: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * Compiles rules. The most specific fitting rule wins; of several that are equally specific, or
 * each more specific in its own way, the strictest; a manifest's deny is final; the default rules
 * speak only where no other does. A call that touches several things gets the strictest verdict.
 */
export function compileRules(rules: readonly ScopedRule[], base: RuleBase): Ruleset {
  const compiled = rules.map((scoped) => compileRule(scoped, base));
  const layers: Layers = {
    explicit: compiled.filter((rule) => rule.scope !== "default"),
    defaults: compiled.filter((rule) => rule.scope === "default"),
  };
  const mayDeny = compiled.some(({ rule }) => rule.action === "deny");
  return {
    judge: (tool, subjects) => {
      if (subjects.length <= 1) return judgeOne(tool, subjects[0], layers);
      return subjects.map((subject) => judgeOne(tool, subject, layers)).reduce(stricter);
    },
    denies: (tool, path, mode) =>
      mayDeny && judgeOne(tool, toFile(path, mode), layers).action === "deny",
    names: (tool, path) => {
      const { action, decidedBy } = judgeOne(tool, toFile(path, "write"), layers);
      if (action !== "allow" || decidedBy === undefined) return false;
      return decidedBy.scope !== "default" && isLiteral(decidedBy.rule.pattern);
    },
  };
}

function toFile(key: string, mode: "read" | "write"): Subject {
  return { type: "file", key, mode, tree: false };
}

function isLiteral(pattern: string): boolean {
  return !/[*?[\]{}]/u.test(pattern.replaceAll(/\\./gu, "")) && !pattern.endsWith("/");
}

function judgeOne(
  tool: Tool,
  subject: Subject | undefined,
  { explicit, defaults }: Layers,
): Verdict {
  return judgeBy(explicit, tool, subject) ?? judgeBy(defaults, tool, subject) ?? nobodySays;
}

// Most calls meet one rule that fits; only where there are more must they be held against each other.
function judgeBy(
  rules: readonly CompiledRule[],
  tool: Tool,
  subject: Subject | undefined,
): Verdict | undefined {
  let only: CompiledRule | undefined;
  for (const rule of rules) {
    if (!rule.fitsPermission(tool, subject) || rule.fitPattern(subject) === undefined) continue;
    if (only !== undefined) return decide(findFitting(rules, tool, subject));
    only = rule;
  }
  return only?.verdict;
}

const nobodySays: Verdict = { action: "ask", decidedBy: undefined };

function findFitting(
  rules: readonly CompiledRule[],
  tool: Tool,
  subject: Subject | undefined,
): Fit[] {
  const fitting: Fit[] = [];
  for (const rule of rules) {
    if (!rule.fitsPermission(tool, subject)) continue;
    const literals = rule.fitPattern(subject);
    if (literals !== undefined) fitting.push({ rule, literals });
  }
  return fitting;
}

function decide(fitting: readonly Fit[]): Verdict {
  const final = fitting.find(({ rule }) => isFinal(rule));
  if (final !== undefined) return final.rule.verdict;
  return fitting
    .filter((one) => !fitting.some((other) => isMoreSpecific(other, one)))
    .map(({ rule }) => rule.verdict)
    .reduce(stricter);
}

function stricter(a: Verdict, b: Verdict): Verdict {
  return strictness[b.action] > strictness[a.action] ? b : a;
}

function isFinal({ scope, rule }: ScopedRule): boolean {
  return scope === "manifest" && rule.action === "deny";
}

function isMoreSpecific(a: Fit, b: Fit): boolean {
  const rank = a.rule.rank - b.rule.rank;
  const literals = a.literals - b.literals;
  return rank >= 0 && literals >= 0 && rank + literals > 0;
}

function compileRule(scoped: ScopedRule, base: RuleBase): CompiledRule {
  const { permission, pattern } = scoped.rule;
  const native = base.nativeId(permission) ?? permission;
  const isCapability = permission.includes(".");
  const mcp = /^mcp:([^:]+):(.+)$/u.exec(permission);
  const anything = pattern === "*" || pattern === "**";
  const paths = anything ? [] : anchorPattern(pattern, base).map(compilePattern);
  const texts = anything ? [] : [compilePattern(pattern)];
  return {
    ...scoped,
    verdict: { action: scoped.rule.action, decidedBy: scoped },
    rank: permission === "*" ? 0 : isCapability || mcp?.[2] === "*" ? 1 : 2,
    fitsPermission: (tool, subject) => {
      if (permission === "*" || tool.id === native) return true;
      if (isCapability) return subject !== undefined && capabilityOf(subject) === permission;
      return mcp !== null && fitsMcp(tool, mcp[1] as string, mcp[2] as string);
    },
    fitPattern: (subject) => {
      if (anything) return 0;
      if (subject === undefined) return undefined;
      const patterns = subject.type === "file" ? paths : texts;
      for (const { matches, literals } of patterns) if (matches(subject.key)) return literals;
      return undefined;
    },
  };
}

function fitsMcp(tool: Tool, server: string, name: string): boolean {
  if (tool.source !== "mcp") return false;
  const prefix = `mcp__${server}__`;
  return name === "*" ? tool.id.startsWith(prefix) : tool.id === `${prefix}${name}`;
}

interface Pattern {
  readonly matches: PathMatcher;
  readonly literals: number;
}

function compilePattern(pattern: string): Pattern {
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
