import { judgeCommand } from "./command-verdict.ts";
import {
  type CompiledRule,
  compileRule,
  type JudgedTool,
  type RuleBase,
  type ScopedRule,
  type Verdict,
} from "./compile-rule.ts";
import { stricter } from "./stricter.ts";
import type { Subject } from "./subject.ts";

/** Rules made ready to judge calls. */
export interface Ruleset {
  judge(tool: JudgedTool, subjects: readonly Subject[]): Verdict;
  /** Whether a path that a call did not name itself may not be read, or written. */
  denies(tool: JudgedTool, path: string, mode: "read" | "write"): boolean;
  /** Whether a rule spells out this very path and allows it to be changed. */
  names(tool: JudgedTool, path: string): boolean;
}

/** A rule that fits a subject, and how closely. */
interface Fit {
  readonly rule: CompiledRule;
  readonly literals: number;
}

/**
 * Compiles rules. The most specific fitting rule wins; of several that are equally specific, or
 * each more specific in its own way, the strictest; a manifest's deny is final; the default rules
 * speak only where no other does. A call that touches several things gets the strictest verdict.
 */
export function compileRules(rules: readonly ScopedRule[], base: RuleBase): Ruleset {
  const compiled = rules.map((scoped) => compileRule(scoped, base));
  const layersOf = createLayers(compiled);
  const mayDeny = compiled.some(({ rule }) => rule.action === "deny");
  const judgeOne = (tool: JudgedTool, subject: Subject | undefined): Verdict => {
    const { explicit, defaults } = layersOf(tool, subject?.type === "command");
    return judgeBy(explicit, tool, subject) ?? judgeBy(defaults, tool, subject) ?? nobodySays;
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
    denies: (tool, path, mode) => mayDeny && judgeOne(tool, toFile(path, mode)).action === "deny",
    names: (tool, path) => {
      const { action, decidedBy } = judgeOne(tool, toFile(path, "write"));
      if (action !== "allow" || decidedBy === undefined) return false;
      return decidedBy.scope !== "default" && isLiteral(decidedBy.rule.pattern);
    },
  };
}

interface Layers {
  readonly explicit: readonly CompiledRule[];
  readonly defaults: readonly CompiledRule[];
}

/** Finds the rules that can concern a tool's calls: of the many that there are, a few. */
function createLayers(
  rules: readonly CompiledRule[],
): (tool: JudgedTool, isCommand: boolean) => Layers {
  const known = { commands: new Map<string, Layers>(), others: new Map<string, Layers>() };
  return (tool, isCommand) => {
    const layers = isCommand ? known.commands : known.others;
    let found = layers.get(tool.id);
    if (found === undefined) {
      const own = rules.filter((rule) => rule.concerns(tool, isCommand));
      found = {
        explicit: own.filter(({ scope }) => scope !== "default"),
        defaults: own.filter(({ scope }) => scope === "default"),
      };
      layers.set(tool.id, found);
    }
    return found;
  };
}

function toFile(key: string, mode: "read" | "write"): Subject {
  return { type: "file", key, mode, tree: false };
}

function isLiteral(pattern: string): boolean {
  return !/[*?[\]{}]/u.test(pattern.replaceAll(/\\./gu, "")) && !pattern.endsWith("/");
}

// Most calls meet one rule that fits; only where there are more must they be held against each other.
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

const nobodySays: Verdict = { action: "ask", decidedBy: undefined };

function findFitting(
  rules: readonly CompiledRule[],
  tool: JudgedTool,
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

function isFinal({ scope, rule }: ScopedRule): boolean {
  return scope === "manifest" && rule.action === "deny";
}

function isMoreSpecific(a: Fit, b: Fit): boolean {
  const rank = a.rule.rank - b.rule.rank;
  const literals = a.literals - b.literals;
  return rank >= 0 && literals >= 0 && rank + literals > 0;
}
