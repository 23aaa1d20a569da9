import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { lastLineOf } from "./sections.ts";
import { type ProblemFields, toProblem } from "./to-problem.ts";

/** ESLint and Stylelint: a file, then its problems. */
export const eslint: ProblemParser = (lines) => {
  const parsed: ParsedProblem[] = [];
  let file: string | undefined;
  for (const [at, line] of lines.entries()) {
    const entry = eslintProblem.exec(line)?.groups;
    if (entry !== undefined && file !== undefined) {
      parsed.push({ problem: toProblem({ ...entry, file }), from: at, to: at });
    } else if (entry === undefined) {
      file = /^\S/u.test(line) && isPath(line.trimEnd()) ? line.trimEnd() : undefined;
    }
  }
  return parsed;
};

const eslintProblem =
  /^\s+(?<line>\d+):(?<column>\d+)\s+(?<severity>error|warning|✖|⚠)\s+(?<message>\S.*?)(?:\s{2,}(?<code>[@\w/-]+))?\s*$/u;

function isPath(line: string): boolean {
  return line.length < 1_000 && /[./\\]/u.test(line) && !/[:*?"<>|]$/u.test(line);
}

/** ShellCheck: a line of a file, then arrows to its problems. */
export const shellcheck: ProblemParser = (lines) => {
  const parsed: ParsedProblem[] = [];
  let place: ProblemFields | undefined;
  for (const [at, line] of lines.entries()) {
    place = /^In (?<file>\S.*) line (?<line>\d+):$/u.exec(line)?.groups ?? place;
    const said = shellcheckProblem.exec(line)?.groups;
    if (said === undefined || place === undefined) continue;
    const column = `${line.indexOf("^") + 1}`;
    parsed.push({ problem: toProblem({ ...place, ...said, column }), from: at, to: at });
  }
  return parsed;
};

const shellcheckProblem =
  /^\s*\^-*[-^] (?<code>SC\d+) \((?<severity>error|warning|info|style)\): (?<message>.*)$/u;

/** Biome: a header with location and rule, then the message after a mark. */
export const biome: ProblemParser = (lines) =>
  lines.flatMap((line, at): ParsedProblem[] => {
    const place = biomeHeader.exec(line)?.groups;
    if (place === undefined) return [];
    const to = lastLineOf(lines, at, (each) => each.trim() !== "") + 1;
    const said = biomeMessage.exec(lines[to] ?? "")?.groups;
    return said === undefined ? [] : [{ problem: toProblem({ ...place, ...said }), from: at, to }];
  });

const biomeHeader =
  /^(?<file>\S.*?)(?::(?<line>\d+):(?<column>\d+))? (?<code>[\w/-]+)\s+(?:[A-Z]+\s+)*━{3,}\s*$/u;
const biomeMessage = /^\s+(?<severity>[×!iℹ⚠✖])\s+(?<message>\S.*)$/u;
