import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { toProblem } from "./to-problem.ts";

/** go test: each failed test with its messages, which name the file without its directory. */
export const goTest: ProblemParser = (lines) => {
  const failed = new Set(lines.map((line) => failure.exec(line)?.groups?.name));
  const packages = findPackages(lines);
  const parsed: ParsedProblem[] = [];
  let test: string | undefined;
  for (const [at, line] of lines.entries()) {
    // With -v, messages come before the line that says the test failed.
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

// The package of each line. It is printed after the package's tests.
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

/** cargo test: where a test panicked, and its message. */
export const rustTests: ProblemParser = (lines) =>
  lines.flatMap((line, at): ParsedProblem[] => {
    const old = oldPanic.exec(line)?.groups;
    if (old !== undefined) {
      const message = `${old.name}: ${old.message}`;
      return [{ problem: toProblem({ ...old, message, severity: "error" }), from: at, to: at }];
    }
    const parts = panic.exec(line)?.groups;
    if (parts === undefined) return [];
    let to = at + 1;
    // Include both sides of a failed assertion.
    while (/^\s+(?:left|right): /u.test(lines[to + 1] ?? "")) to++;
    const said = lines.slice(at + 1, to + 1).map((each) => each.trim());
    const message = `${parts.name}: ${said.join(", ")}`;
    return [{ problem: toProblem({ ...parts, message, severity: "error" }), from: at, to }];
  });

const panic =
  /^thread '(?<name>[^']*)'(?: \(\d+\))? panicked at (?<file>[^:']+):(?<line>\d+):(?<column>\d+):$/u;
const oldPanic =
  /^thread '(?<name>[^']*)' panicked at '(?<message>.*)', (?<file>[^:']+):(?<line>\d+):(?<column>\d+)$/u;
