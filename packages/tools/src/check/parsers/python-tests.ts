import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { lastLineOf } from "./sections.ts";
import { type ProblemFields, toProblem } from "./to-problem.ts";

/** pytest: a section for each failed test, or else the list of failures at the end. */
export const pytest: ProblemParser = (lines) => {
  const sections = findSections(lines);
  if (sections.length > 0) return sections;
  return lines.flatMap((line, at): ParsedProblem[] => {
    const parts = summary.exec(line)?.groups;
    if (parts === undefined) return [];
    const message = [parts.name, parts.message].filter((part) => part !== undefined).join(": ");
    const problem = toProblem({ file: parts.file, message, severity: "error" });
    return [{ problem, from: at, to: at }];
  });
};

const header = /^_{2,} (?:(?:ERROR (?:at \w+ of|collecting)) )?(?<name>\S.*?) _{2,}$/u;
const heading = /^(?:={3,}|!{3,})/u;
const frame = /^(?<file>\S[^:]*\.py):(?<line>\d+): ?(?<what>.*)$/u;
const foreign = /(?:^|\/)(?:site-packages|lib\/python[\d.]+|importlib|_pytest)\//u;
const summary = /^(?:FAILED|ERROR) (?<file>\S+?\.py)(?:::(?<name>.*?))?(?: - (?<message>.*))?$/u;

function findSections(lines: readonly string[]): ParsedProblem[] {
  const parsed: ParsedProblem[] = [];
  for (const [from, line] of lines.entries()) {
    const name = header.exec(line)?.groups?.name;
    if (name === undefined) continue;
    const to = lastLineOf(lines, from, (each) => header.test(each) || heading.test(each));
    const section = lines.slice(from + 1, to + 1);
    const place = findPlace(section) ?? {};
    const error = section
      .find((each) => /^E\s+\S/u.test(each))
      ?.slice(1)
      .trim();
    const message = error === undefined ? name : `${name}: ${error}`;
    parsed.push({ problem: toProblem({ ...place, message, severity: "error" }), from, to });
  }
  return parsed;
}

// The test failed in the last frame that belongs to the project.
function findPlace(section: readonly string[]): ProblemFields | undefined {
  const frames = section.map((line) => frame.exec(line)?.groups);
  const last = frames.findLast((parts) => parts !== undefined && !foreign.test(parts.file ?? ""));
  return last === undefined ? undefined : { file: last.file, line: last.line };
}

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
