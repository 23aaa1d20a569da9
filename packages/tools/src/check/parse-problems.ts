import { anyLine } from "./parsers/any-line.ts";
import { biome } from "./parsers/biome.ts";
import { eslint } from "./parsers/eslint.ts";
import { github } from "./parsers/github.ts";
import { goTest } from "./parsers/go-test.ts";
import { jest } from "./parsers/jest.ts";
import { lineFormats } from "./parsers/line-formats.ts";
import { mocha } from "./parsers/mocha.ts";
import { nodeTest } from "./parsers/node-test.ts";
import { pointed } from "./parsers/pointed.ts";
import { pytest } from "./parsers/pytest.ts";
import { rustTests } from "./parsers/rust-tests.ts";
import { tap } from "./parsers/tap.ts";
import { unittest } from "./parsers/unittest.ts";
import { vitest } from "./parsers/vitest.ts";
import type { ParsedProblem, Problem, ProblemParser } from "./problem.ts";

/**
 * The problems that a check's output tells of, in its order. Which programs printed it is not
 * known, as a script may run any; so every format is tried, those of several lines first.
 */
export function parseProblems(output: string, check: { readonly passed: boolean }): Problem[] {
  const lines = output.split("\n").map((line) => (line.length > longestLine ? "" : line));
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

// No message is longer, and patterns take their time on what is.
const longestLine = 4_000;

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
  pointed,
  lineFormats,
];

// Programs repeat themselves at their end.
function withoutDoubles(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...seen.values()];
}
