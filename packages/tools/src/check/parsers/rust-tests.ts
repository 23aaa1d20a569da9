import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { toProblem } from "./to-problem.ts";

/** cargo test: where a test panicked, and what it said. */
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
    // Of an assertion the two sides are worth telling.
    while (/^\s+(?:left|right): /u.test(lines[to + 1] ?? "")) to++;
    const said = lines.slice(at + 1, to + 1).map((each) => each.trim());
    const message = `${parts.name}: ${said.join(", ")}`;
    return [{ problem: toProblem({ ...parts, message, severity: "error" }), from: at, to }];
  });

const panic =
  /^thread '(?<name>[^']*)'(?: \(\d+\))? panicked at (?<file>[^:']+):(?<line>\d+):(?<column>\d+):$/u;
const oldPanic =
  /^thread '(?<name>[^']*)' panicked at '(?<message>.*)', (?<file>[^:']+):(?<line>\d+):(?<column>\d+)$/u;
