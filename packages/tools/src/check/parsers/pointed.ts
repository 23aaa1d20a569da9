import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { lastLineOf } from "./sections.ts";
import { toProblem } from "./to-problem.ts";

/** rustc and programs with a similar format: the message, then an arrow to the location. */
export const pointed: ProblemParser = (lines) =>
  lines.flatMap((line, at): ParsedProblem[] => {
    const place = pointer.exec(line)?.groups;
    if (place === undefined) return [];
    for (let from = at - 1; from >= Math.max(0, at - maxMessageLength); from--) {
      const said = message.exec(lines[from] ?? "")?.groups;
      if (said === undefined) continue;
      const code = said.code ?? said.number?.replace(/:$/u, "") ?? said.name;
      const problem = toProblem({ ...said, ...place, code });
      return [{ problem, from, to: lastLineOf(lines, at, (each) => each.trim() === "") }];
    }
    return [];
  });

const maxMessageLength = 4;

const pointer = /^\s*(?:-->|╭─\[|,-\[)\s*(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+)\]?\s*$/u;

const message = new RegExp(
  [
    // rustc, clippy, deno lint
    String.raw`^(?<severity>error|warning)(?:\[(?<code>[^\]]+)\])?: (?<message>.*)$`,
    // ruff
    String.raw`^(?<number>[A-Z]{1,5}\d{1,5}|[a-z]+-[a-z-]+:)(?: \[\*\])? (?<message>.*)$`,
    // oxlint
    String.raw`^\s*(?<severity>[×⚠!✖]) (?:(?<name>[\w-]+\([\w/-]+\)): )?(?<message>.*)$`,
  ].join("|"),
  "u",
);
