import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { toProblem } from "./to-problem.ts";

/** ESLint's own format, and Stylelint's: a file, and below it its problems. */
export const eslint: ProblemParser = (lines) => {
  const parsed: ParsedProblem[] = [];
  let file: string | undefined;
  for (const [at, line] of lines.entries()) {
    const entry = pattern.exec(line)?.groups;
    if (entry !== undefined && file !== undefined) {
      parsed.push({ problem: toProblem({ ...entry, file }), from: at, to: at });
    } else if (entry === undefined) {
      file = /^\S/u.test(line) && isPath(line.trimEnd()) ? line.trimEnd() : undefined;
    }
  }
  return parsed;
};

const pattern =
  /^\s+(?<line>\d+):(?<column>\d+)\s+(?<severity>error|warning|✖|⚠)\s+(?<message>\S.*?)(?:\s{2,}(?<code>[@\w/-]+))?\s*$/u;

function isPath(line: string): boolean {
  return line.length < 1_000 && /[./\\]/u.test(line) && !/[:*?"<>|]$/u.test(line);
}
