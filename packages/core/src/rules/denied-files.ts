import {
  compileGlob,
  countLiterals,
  isInside,
  literalDirectory,
  type PathMatcher,
} from "@haft/contract/internal";
import { programTool, writeTool } from "./command-verdict.ts";
import { anchorPattern, type JudgedTool, rankOf, type ScopedRule } from "./compile-rule.ts";
import type { FileRules } from "./file-rules.ts";
import { compileRules } from "./ruleset.ts";

/** Tells which files are denied to programs. */
export interface DeniedFiles {
  has(path: string, mode: "read" | "write"): boolean;
  /** Tells whether a directory is denied with everything that is or will be in it. */
  hasAllOf(directory: string, mode: "read" | "write"): boolean;
  /** Tells whether something in a directory, at any depth, may be denied. */
  mayBeIn(directory: string): boolean;
  /** Equal for the same rules. */
  readonly key: string;
}

/**
 * Compiles file rules. A program counts as `read` and `write`, and as a tool that no rule names: rules
 * on one of these, on `fs.read`, `fs.write` and `*` apply to it.
 */
export function compileFileRules(rules: FileRules): DeniedFiles {
  const { roots, home } = rules;
  const base = {
    roots,
    home,
    nativeId: () => undefined,
    isSandboxed: () => true,
    identify: (path: string) => path,
  };
  const sets = rules.sets.map((set) => {
    const ruleset = compileRules(set, base);
    const shapes = set.map((scoped) => describeShape(scoped, rules));
    return { ruleset, denying: shapes.filter(isDenial), others: shapes.filter(isNoDenial) };
  });
  return {
    key: JSON.stringify(rules),
    has: (path, mode) =>
      sets.some(
        ({ ruleset, denying }) =>
          // Most files match no denial, and then the other rules don't matter.
          denying.some(
            ({ modes, files }) => modes.includes(mode) && files.some((is) => is(path)),
          ) && judged[mode].some((tool) => ruleset.denies(tool, path, mode)),
      ),
    hasAllOf: (directory, mode) =>
      sets.some(({ denying, others }) =>
        denying.some(
          (denial) =>
            denial.modes.includes(mode) &&
            denial.trees.some((isIn) => isIn(directory)) &&
            (denial.isFinal || !others.some((other) => mayExcept(other, denial, directory))),
        ),
      ),
    mayBeIn: (directory) =>
      sets.some(({ denying }) => denying.some((denial) => mayConcern(denial, directory))),
  };
}

const judged: Readonly<Record<"read" | "write", readonly JudgedTool[]>> = {
  read: [programTool, { id: "read", source: "builtin" }],
  write: [programTool, writeTool],
};

/** The parts of a rule that tell what it may match, without looking at files. */
interface RuleShape {
  readonly scoped: ScopedRule;
  readonly rank: number;
  /** How much of a path its patterns spell out, at least and at most. */
  readonly literals: { readonly min: number; readonly max: number };
  readonly modes: readonly ("read" | "write")[];
  /** Everything that it matches is in one of these directories. */
  readonly places: readonly string[];
  /** Match what it matches. */
  readonly files: readonly PathMatcher[];
  /** Match directories of which it matches everything. */
  readonly trees: readonly PathMatcher[];
  /** Whether no other rule can except something. */
  readonly isFinal: boolean;
}

function describeShape(scoped: ScopedRule, base: Pick<FileRules, "roots" | "home">): RuleShape {
  const { permission, pattern, action } = scoped.rule;
  const isAnything = pattern === "*" || pattern === "**";
  const patterns = isAnything ? ["/**"] : anchorPattern(pattern, base);
  const literals = isAnything ? [0] : patterns.map(countLiterals);
  return {
    scoped,
    rank: rankOf(permission, null),
    literals: { min: Math.min(...literals), max: Math.max(...literals) },
    modes: permission === "*" ? ["read", "write"] : [/read$/u.test(permission) ? "read" : "write"],
    places: patterns.map(literalDirectory),
    files: patterns.map(compileGlob),
    trees: patterns.filter((each) => each.endsWith("/**")).map(compileGlob),
    isFinal: scoped.scope === "manifest" && action === "deny",
  };
}

function isDenial({ scoped }: RuleShape): boolean {
  return scoped.rule.action === "deny";
}

function isNoDenial(shape: RuleShape): boolean {
  return !isDenial(shape);
}

/** Tells whether a rule may win against a denial for something in a directory: it is more specific. */
function mayExcept(other: RuleShape, denial: RuleShape, directory: string): boolean {
  // Of the two tools that a program counts as, one is named by no rule.
  if (other.rank === toolRank && denial.rank < toolRank) return false;
  const rank = other.rank - denial.rank;
  const literals = other.literals.max - denial.literals.min;
  return rank >= 0 && literals >= 0 && rank + literals > 0 && mayConcern(other, directory);
}

const toolRank = rankOf("read", null);

function mayConcern({ places }: RuleShape, directory: string): boolean {
  return places.some((place) => isInside(place, directory) || isInside(directory, place));
}
