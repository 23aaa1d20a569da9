import { judgeCommand } from "./command-verdict.ts";
import {
  type CompiledRule,
  compileRule,
  type JudgedTool,
  type RuleBase,
  rankOf,
  type ScopedRule,
  type Verdict,
} from "./compile-rule.ts";
import { type FileRule, type FileRules, joinFileRules } from "./file-rules.ts";
import type { Rule, RuleAction } from "./rule.ts";
import { stricter } from "./stricter.ts";
import type { Subject } from "./subject.ts";

/** Compiled rules. */
export interface Ruleset {
  judge(tool: JudgedTool, subjects: readonly Subject[]): Verdict;
  /** Returns the verdict on a capability as a whole; `undefined` if no rule of a user is about it. */
  judgeCapability(tool: JudgedTool, capability: string): Verdict | undefined;
  /** Tells whether access to a path that the call did not name itself is denied. */
  denies(tool: JudgedTool, path: string, mode: "read" | "write"): boolean;
  /** Tells whether every path is allowed, so that it does not matter where links lead. */
  allowsEveryFile(tool: JudgedTool, mode: "read" | "write"): boolean;
  /**
   * Tells whether a user's own rule names exactly this path and allows changing it. A project's rules
   * come with a repository and do not count, trusted or not.
   */
  names(tool: JudgedTool, path: string): boolean;
  /** Returns the stored answer to a question of the watchdog, which is a rule; `ask` if there is none. */
  answerTo(question: Rule): RuleAction;
  /** Returns the rules on files that programs obey; `undefined` if they deny nothing. */
  fileRules(): FileRules | undefined;
}

/** A rule that matches a subject, and how specifically. */
interface Fit {
  readonly rule: CompiledRule;
  readonly rank: number;
  readonly literals: number;
}

/**
 * Compiles rules. The most specific matching rule wins. Of several that are equally specific, or each
 * more specific in its own way, the strictest wins. A manifest's deny is final. Default rules apply
 * only where no other rule matches. A call that touches several subjects gets the strictest verdict.
 * Untrusted rules can only make a verdict stricter.
 */
export function compileRules(rules: readonly ScopedRule[], base: RuleBase): Ruleset {
  const trusted = rules.filter(({ isUntrusted }) => isUntrusted !== true);
  const ruleset = compileAlike(trusted, base);
  if (trusted.length === rules.length) return ruleset;
  // Otherwise, a more specific untrusted rule that asks would override a user's rule that denies.
  const all = rules.filter((one) => one.isUntrusted !== true || one.rule.action !== "allow");
  return restrictRuleset(compileAlike(all, base), () => ruleset);
}

function compileAlike(rules: readonly ScopedRule[], base: RuleBase): Ruleset {
  // Their patterns are no globs but the calls that they are about.
  const answers = rules.filter(({ rule }) => rule.permission.startsWith("watchdog:"));
  const compiled = rules
    .filter((scoped) => !answers.includes(scoped))
    .map((scoped) => compileRule(scoped, base));
  const rulesOf = createRuleFinder(compiled);
  const mayDeny = compiled.some(({ rule }) => rule.action === "deny");
  const judgeOne = (tool: JudgedTool, subject: Subject | undefined): Verdict => {
    const { explicit, defaults } = rulesOf(tool, subject?.type === "command");
    return judgeBy(explicit, tool, subject) ?? judgeBy(defaults, tool, subject) ?? askByDefault;
  };
  const judgeSubject = (tool: JudgedTool, subject: Subject | undefined): Verdict =>
    subject?.type === "command"
      ? judgeCommand(subject, (part, judged = tool) => judgeOne(judged, part))
      : judgeOne(tool, subject);
  return {
    judge: (tool, subjects) => {
      if (subjects.length <= 1) return judgeSubject(tool, subjects[0]);
      return subjects.map((subject) => judgeSubject(tool, subject)).reduce(stricter);
    },
    judgeCapability: (tool, capability) => {
      const subject = toCapability(capability);
      const fitting = findFitting(rulesOf(tool, false).explicit, tool, subject);
      const isKnown = fitting.some(({ rule }) => rule.rule.permission === capability);
      return isKnown ? decide(fitting) : undefined;
    },
    allowsEveryFile: (tool, mode) => rulesOf(tool, false).everyFile[mode],
    denies: (tool, path, mode) => mayDeny && judgeOne(tool, toFile(path, mode)).action === "deny",
    names: (tool, path) => {
      const { personal } = rulesOf(tool, false);
      const verdict = judgeBy(personal, tool, toFile(path, "write"));
      if (verdict?.action !== "allow" || verdict.decidedBy === undefined) return false;
      return isLiteral(verdict.decidedBy.rule.pattern);
    },
    answerTo: (question) => findAnswer(answers, question),
    fileRules: () => (mayDeny ? selectFileRules(rules, base) : undefined),
  };
}

/** Restricts a ruleset by another one, which can only make verdicts stricter. */
export function restrictRuleset(own: Ruleset, bounds: () => Ruleset): Ruleset {
  return {
    judge: (tool, subjects) => stricter(own.judge(tool, subjects), bounds().judge(tool, subjects)),
    judgeCapability: (tool, capability) => {
      const verdicts = [own, bounds()].map((one) => one.judgeCapability(tool, capability));
      const known = verdicts.filter((verdict) => verdict !== undefined);
      return known.length === 0 ? undefined : known.reduce(stricter);
    },
    allowsEveryFile: (tool, mode) =>
      own.allowsEveryFile(tool, mode) && bounds().allowsEveryFile(tool, mode),
    denies: (tool, path, mode) => own.denies(tool, path, mode) || bounds().denies(tool, path, mode),
    // A protected path must be named in both.
    names: (tool, path) => own.names(tool, path) && bounds().names(tool, path),
    answerTo: (question) => strictestOf([own.answerTo(question), bounds().answerTo(question)]),
    fileRules: () => joinFileRules([own.fileRules(), bounds().fileRules()]),
  };
}

interface ToolRules {
  readonly explicit: readonly CompiledRule[];
  /** The explicit rules except what a project allows. */
  readonly personal: readonly CompiledRule[];
  readonly defaults: readonly CompiledRule[];
  /** Whether every file is allowed, by mode. */
  readonly everyFile: Readonly<Record<"read" | "write", boolean>>;
}

/** Returns a function that finds the few rules that can apply to a tool's calls. */
function createRuleFinder(
  rules: readonly CompiledRule[],
): (tool: JudgedTool, isCommand: boolean) => ToolRules {
  const known = { commands: new Map<string, ToolRules>(), others: new Map<string, ToolRules>() };
  return (tool, isCommand) => {
    const cache = isCommand ? known.commands : known.others;
    let found = cache.get(tool.id);
    if (found === undefined) {
      const own = rules.filter((rule) => rule.concerns(tool, isCommand));
      const explicit = own.filter(({ scope }) => scope !== "default");
      found = {
        explicit,
        personal: explicit.filter(
          ({ scope, rule }) => scope !== "project" || rule.action !== "allow",
        ),
        defaults: own.filter(({ scope }) => scope === "default"),
        everyFile: { read: allowEveryFile(own, "read"), write: allowEveryFile(own, "write") },
      };
      cache.set(tool.id, found);
    }
    return found;
  };
}

function allowEveryFile(rules: readonly CompiledRule[], mode: "read" | "write"): boolean {
  const others = capabilities.filter((capability) => capability !== `fs.${mode}`);
  const concerned = rules.filter(({ rule }) => !others.includes(rule.permission));
  return (
    concerned.every(({ rule }) => rule.action === "allow") &&
    concerned.some(({ rule }) => rule.when === undefined && /^\*\*?$/u.test(rule.pattern))
  );
}

const capabilityRank = rankOf("fs.read", null);

const capabilities: readonly string[] = ["fs.read", "fs.write", "net.fetch", "shell.run"];

// An agent's manifest may refuse what the watchdog asks about, but not approve it.
function findAnswer(rules: readonly ScopedRule[], question: Rule): RuleAction {
  const actions = rules.flatMap(({ rule: { permission, pattern, action }, scope }) => {
    if (permission !== question.permission || pattern !== question.pattern) return [];
    return scope === "manifest" && action === "allow" ? [] : [action];
  });
  return actions.length === 0 ? "ask" : strictestOf(actions);
}

function strictestOf(actions: readonly RuleAction[]): RuleAction {
  return (["deny", "ask"] as const).find((action) => actions.includes(action)) ?? "allow";
}

function toCapability(key: string): Subject {
  return { type: "name", key, mode: "write", tree: false, isCapability: true };
}

function toFile(key: string, mode: "read" | "write"): Subject {
  return { type: "file", key, mode, tree: false };
}

function isLiteral(pattern: string): boolean {
  return !/[*?[\]{}]/u.test(pattern.replaceAll(/\\./gu, "")) && !pattern.endsWith("/");
}

// Most calls match one rule. Only if there are more must they be compared.
function judgeBy(
  rules: readonly CompiledRule[],
  tool: JudgedTool,
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

const askByDefault: Verdict = { action: "ask", decidedBy: undefined };

function findFitting(
  rules: readonly CompiledRule[],
  tool: JudgedTool,
  subject: Subject | undefined,
): Fit[] {
  const fitting: Fit[] = [];
  for (const rule of rules) {
    if (!rule.fitsPermission(tool, subject)) continue;
    const literals = rule.fitPattern(subject);
    if (literals === undefined) continue;
    // The name of a capability can look like that of a tool.
    const isAbout = subject?.isCapability && subject.key === rule.rule.permission;
    fitting.push({ rule, literals, rank: isAbout ? capabilityRank : rule.rank });
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

function isFinal({ scope, rule }: ScopedRule): boolean {
  return scope === "manifest" && rule.action === "deny";
}

function isMoreSpecific(a: Fit, b: Fit): boolean {
  const rank = a.rank - b.rank;
  const literals = a.literals - b.literals;
  return rank >= 0 && literals >= 0 && rank + literals > 0;
}

// Programs read and write files, so what applies to `read` and `write` applies to them.
const filePermissions: ReadonlySet<string> = new Set(["*", "fs.read", "fs.write", "read", "write"]);

/** Returns those of a set of rules that apply to files of programs; `undefined` if they deny none. */
function selectFileRules(
  rules: readonly ScopedRule[],
  { roots, home, nativeId, isSandboxed }: Omit<RuleBase, "identify">,
): FileRules | undefined {
  const set = rules.flatMap(({ rule, scope }): readonly FileRule[] => {
    const { pattern, action, when } = rule;
    const permission = nativeId(rule.permission) ?? rule.permission;
    if (scope === "default" || !filePermissions.has(permission)) return [];
    // Such a rule decides which calls are made, and names no files.
    if (permission === "*" && /^\*\*?$/u.test(pattern)) return [];
    if (when === "sandbox" && !isSandboxed()) return [];
    return [{ rule: { permission, pattern, action }, scope }];
  });
  const denies = set.some(({ rule }) => rule.action === "deny");
  return denies ? { sets: [set], roots, home } : undefined;
}
