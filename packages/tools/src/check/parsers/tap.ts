import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { errorText, lastLineOf } from "./sections.ts";
import { toProblem } from "./to-problem.ts";

/** The Test Anything Protocol, as Node, Perl and bats write it. */
export const tap: ProblemParser = (lines) =>
  lines.flatMap((line, from): ParsedProblem[] => {
    const found = /^(?<indent>\s*)not ok \d+(?: -)? (?<name>.*)$/u.exec(line)?.groups;
    if (found === undefined || /# (?:todo|skip)\b/iu.test(line)) return [];
    const to = lastLineOf(lines, from, (each) => !isDetail(each));
    const section = lines.slice(from + 1, to + 1);
    // The parents of a failed test fail too, without new information.
    if (section.some((each) => /failureType: 'subtestsFailed'/u.test(each))) return [];
    const error = findError(section);
    const name = found.name?.replace(/ # time=.*$/u, "") ?? "";
    const message = error === "" ? name : `${name}: ${error}`;
    const place = findPlace(section) ?? {};
    return [{ problem: toProblem({ ...place, message, severity: "error" }), from, to }];
  });

function isDetail(line: string): boolean {
  return /^\s*(?:#|---|\.\.\.)|^\s+(?!(?:not )?ok\b)/u.test(line) && !/^\s*# Subtest/u.test(line);
}

function findError(section: readonly string[]): string {
  const at = section.findIndex((line) => /^\s*(?:error|message): /u.test(line));
  const [, value = ""] = /^\s*\w+: (.*)$/u.exec(section[at] ?? "") ?? [];
  if (/^[|>]-?$/u.test(value)) return errorText(section.slice(at + 1));
  return value.replace(/^(['"])(.*)\1$/u, "$2");
}

function findPlace(section: readonly string[]): Record<string, string | undefined> | undefined {
  for (const line of section) {
    const found = location.exec(line)?.groups ?? diagnostic.exec(line)?.groups;
    if (found !== undefined) return found;
  }
  return undefined;
}

const location =
  /^\s*(?:location|at): '?(?:file:\/\/)?(?<file>[^'\s]+?):(?<line>\d+):(?<column>\d+)'?\s*$/u;
const diagnostic = /^\s*#.*?\b(?:at|in test file) (?<file>\S+?),? line (?<line>\d+)/u;
