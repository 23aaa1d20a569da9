import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { errorText } from "./error-text.ts";
import { lastLineOf } from "./last-line-of.ts";
import { findStackFrame } from "./stack-frame.ts";
import { toProblem } from "./to-problem.ts";

/** Mocha: after how many failed, each with a number, its names and its error. */
export const mocha: ProblemParser = (lines) => {
  const parsed: ParsedProblem[] = [];
  const start = lines.findIndex((line) => /^\s+\d+ failing\s*$/u.test(line));
  if (start === -1) return parsed;
  for (let from = start + 1; from < lines.length; from++) {
    const first = /^ {2}\d+\) (?<name>.*?)\s*$/u.exec(lines[from] ?? "")?.groups?.name;
    if (first === undefined) continue;
    const to = lastLineOf(lines, from, (line) => /^ {2}\d+\) /u.test(line));
    const names = [first];
    let at = from;
    while (at < to && !names.at(-1)?.endsWith(":")) names.push((lines[++at] ?? "").trim());
    const section = lines.slice(at + 1, to + 1);
    const message = `${names.join(" > ").replace(/:$/u, "")}: ${errorText(section)}`;
    const place = findStackFrame(section) ?? {};
    parsed.push({ problem: toProblem({ ...place, message, severity: "error" }), from, to });
    from = to;
  }
  return parsed;
};
