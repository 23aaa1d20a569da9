import { github } from "./parsers/github.ts";
import { goTest, rustTests } from "./parsers/go-rust-tests.ts";
import { jest, mocha, nodeTest, vitest } from "./parsers/javascript-tests.ts";
import { anyLine, lineFormats } from "./parsers/line-formats.ts";
import { biome, eslint, shellcheck } from "./parsers/linters.ts";
import { pointed } from "./parsers/pointed.ts";
import { pytest, unittest } from "./parsers/python-tests.ts";
import { tap } from "./parsers/tap.ts";
import type { ParsedProblem, Problem, ProblemParser } from "./problem.ts";

/**
 * Finds the problems in a check's output, in its order. A script may run any program, so every
 * format is tried, those of several lines first.
 */
export function parseProblems(output: string, check: { readonly passed: boolean }): Problem[] {
  const lines = output.split("\n").map((line) => (line.length > maxLineLength ? "" : line));
  const taken = new Set<number>();
  const found: ParsedProblem[] = [];
  for (const parse of check.passed ? known : [...known, anyLine]) {
    for (const parsed of parse(lines)) {
      if (taken.has(parsed.from)) continue;
      for (let at = parsed.from; at <= parsed.to; at++) taken.add(at);
      found.push(parsed);
    }
  }
  return withoutDoubles(found.sort((a, b) => a.from - b.from).map(({ problem }) => problem));
}

// No message is longer, and patterns are slow on long lines.
const maxLineLength = 4_000;

const known: readonly ProblemParser[] = [
  vitest,
  jest,
  mocha,
  nodeTest,
  tap,
  pytest,
  unittest,
  goTest,
  rustTests,
  github,
  biome,
  eslint,
  shellcheck,
  pointed,
  lineFormats,
];

// Programs repeat problems in their summaries.
function withoutDoubles(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...seen.values()];
}
