import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { lastLineOf } from "./last-line-of.ts";
import { toProblem } from "./to-problem.ts";

/** Python's own unittest: a section with a traceback for each failed test. */
export const unittest: ProblemParser = (lines) =>
  lines.flatMap((line, from): ParsedProblem[] => {
    const name = /^(?:ERROR|FAIL): (?<name>\S+ \(.*\))/u.exec(line)?.groups?.name;
    if (name === undefined || !/^={70}$/u.test(lines[from - 1] ?? "")) return [];
    const to = lastLineOf(lines, from + 1, (each) => /^(?:={70}|-{70})$/u.test(each));
    const section = lines.slice(from + 2, to + 1);
    const place = section
      .map((each) => /^ {2}File "(?<file>[^"]+)", line (?<line>\d+)/u.exec(each)?.groups)
      .findLast((parts) => parts !== undefined && !/\/lib\/python/u.test(parts.file ?? ""));
    const error = section.findLast((each) =>
      /^\w[\w.]*(?:Error|Exception|Exit|Warning)?:? ?/u.test(each),
    );
    const message = error === undefined ? name : `${name}: ${error}`;
    return [{ problem: toProblem({ ...place, message, severity: "error" }), from, to }];
  });
