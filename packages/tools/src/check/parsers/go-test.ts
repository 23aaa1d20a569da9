import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { toProblem } from "./to-problem.ts";

/** go test: each failed test with its messages, which have the file's bare name. */
export const goTest: ProblemParser = (lines) => {
  const failed = new Set(lines.map((line) => failure.exec(line)?.groups?.name));
  const packages = findPackages(lines);
  const parsed: ParsedProblem[] = [];
  let test: string | undefined;
  for (const [at, line] of lines.entries()) {
    // With -v messages come before it is known that the test failed.
    test = (failure.exec(line) ?? running.exec(line))?.groups?.name ?? test;
    if (/^(?:FAIL|ok|PASS)\b/u.test(line)) test = undefined;
    const parts = /^\s+(?<file>[\w.-]+\.go):(?<line>\d+): (?<message>.*)$/u.exec(line)?.groups;
    if (test === undefined || !failed.has(test) || parts === undefined) continue;
    const where = packages[at];
    const file = where === undefined ? parts.file : `${where}/${parts.file}`;
    const message = `${test}: ${parts.message}`;
    const problem = toProblem({ file, line: parts.line, message, severity: "error" });
    parsed.push({ problem, from: at, to: at });
  }
  return parsed;
};

const failure = /^\s*--- FAIL: (?<name>\S+)/u;
const running = /^=== (?:RUN|CONT|NAME) +(?<name>\S+)/u;

// The package of each line, which is told only after its tests.
function findPackages(lines: readonly string[]): (string | undefined)[] {
  let last: string | undefined;
  return lines
    .toReversed()
    .map((line) => {
      last = /^(?:FAIL|ok {2})\t(?<path>\S+)/u.exec(line)?.groups?.path ?? last;
      return last;
    })
    .reverse();
}
