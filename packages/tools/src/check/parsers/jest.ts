import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { errorText } from "./error-text.ts";
import { lastLineOf } from "./last-line-of.ts";
import { findStackFrame } from "./stack-frame.ts";
import { toProblem } from "./to-problem.ts";

/** Jest: below a file that failed, its failed tests behind a dot. */
export const jest: ProblemParser = (lines) => {
  const parsed: ParsedProblem[] = [];
  let file: string | undefined;
  for (const [from, line] of lines.entries()) {
    file =
      /^FAIL\s+(?:\S+\s+)??(?<file>\S+\.\w+)(?: \([\d.]+ m?s\))?\s*$/u.exec(line)?.groups?.file ??
      file;
    const name = /^ {2}● (?<name>.+?)\s*$/u.exec(line)?.groups?.name;
    if (name === undefined || name === "Console" || file === undefined) continue;
    const to = lastLineOf(lines, from, (each) => /^(?: {2}● |\S)/u.test(each));
    const section = lines.slice(from + 1, to + 1);
    const place = findStackFrame(section) ?? { file };
    const message = `${name}: ${errorText(section)}`;
    parsed.push({ problem: toProblem({ ...place, message, severity: "error" }), from, to });
  }
  return parsed;
};
