import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { lastLineOf } from "./last-line-of.ts";
import { toProblem } from "./to-problem.ts";

/** Biome: a header with a rule to the right of it, then the message behind a mark. */
export const biome: ProblemParser = (lines) =>
  lines.flatMap((line, at): ParsedProblem[] => {
    const place = header.exec(line)?.groups;
    if (place === undefined) return [];
    const to = lastLineOf(lines, at, (each) => each.trim() !== "") + 1;
    const said = message.exec(lines[to] ?? "")?.groups;
    return said === undefined ? [] : [{ problem: toProblem({ ...place, ...said }), from: at, to }];
  });

const header =
  /^(?<file>\S.*?)(?::(?<line>\d+):(?<column>\d+))? (?<code>[\w/-]+)\s+(?:[A-Z]+\s+)*━{3,}\s*$/u;
const message = /^\s+(?<severity>[×!iℹ⚠✖])\s+(?<message>\S.*)$/u;
