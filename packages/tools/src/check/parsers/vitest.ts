import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { errorText } from "./error-text.ts";
import { lastLineOf } from "./last-line-of.ts";
import { findStackFrame } from "./stack-frame.ts";
import { toProblem } from "./to-problem.ts";

/** Vitest: the names of failed tests, then the error that they share. */
export const vitest: ProblemParser = (lines) => {
  const parsed: ParsedProblem[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!title.test(lines[at] ?? "")) continue;
    const from = at;
    while (title.test(lines[at + 1] ?? "")) at++;
    const to = lastLineOf(lines, at, (line) => /^⎯{3,}|^ FAIL {2}/u.test(line));
    const section = lines.slice(at + 1, to + 1);
    for (let index = from; index <= at; index++) {
      const { file, name } = title.exec(lines[index] ?? "")?.groups ?? {};
      const message = name === undefined ? errorText(section) : `${name}: ${errorText(section)}`;
      const place = findStackFrame(section) ?? { file };
      const problem = toProblem({ ...place, message, severity: "error" });
      parsed.push({ problem, from: index, to: index === at ? to : index });
    }
    at = to;
  }
  return parsed;
};

const title = /^ FAIL {2}(?:\|[^|]*\| |\S+ {2})?(?<file>\S+?)(?: > (?<name>.*)| \[ .* \])\s*$/u;
