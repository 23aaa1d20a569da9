import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { toProblem } from "./to-problem.ts";

/** Lines that begin with a source file and a line number, whatever program they are from. */
export const anyLine: ProblemParser = (lines) =>
  lines.flatMap((line, at): ParsedProblem[] => {
    const parts = pattern.exec(line)?.groups;
    return parts === undefined ? [] : [{ problem: toProblem(parts), from: at, to: at }];
  });

// A host and its port look alike, so the extension must be one of source files.
const extensions = [
  "c cc cjs clj cpp cs css cts cxx dart elm erl ex exs fs go gradle h hpp hs html java jl js json",
  "jsx kt kts less lua m md mdx mjs ml mli mm mts nix php pl pm proto py pyi r rb rs sbt scala scss",
  "sh sol sql svelte swift tf toml ts tsx vb vue xml yaml yml zig",
]
  .join(" ")
  .replaceAll(" ", "|");

const pattern = new RegExp(
  String.raw`^(?<file>[^\s:()"'][^:()"']*\.(?:${extensions})):(?<line>\d+)(?::(?<column>\d+))?:? +(?!note:)(?<message>\S.*)$`,
  "u",
);
