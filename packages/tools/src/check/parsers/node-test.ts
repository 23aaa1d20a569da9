import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { errorText } from "./error-text.ts";
import { lastLineOf } from "./last-line-of.ts";
import { findStackFrame } from "./stack-frame.ts";
import { toProblem } from "./to-problem.ts";

/** Node's own test runner: at the end, each failed test with its place and its error. */
export const nodeTest: ProblemParser = (lines) =>
  lines.flatMap((line, from): ParsedProblem[] => {
    const place = /^test at (?<file>.+):(?<line>\d+):(?<column>\d+)\s*$/u.exec(line)?.groups;
    const name = /^✖ (?<name>.*?)(?: \([\d.]+ms\))?\s*$/u.exec(lines[from + 1] ?? "")?.groups?.name;
    if (place === undefined || name === undefined) return [];
    const to = lastLineOf(lines, from, (each) => each.startsWith("test at "));
    const section = lines.slice(from + 2, to + 1);
    const found = findStackFrame(section);
    // The place where it failed is in the stack, but may be in a helper's file.
    const nearer = found?.file?.endsWith(`/${place.file}`) ? { ...found, file: place.file } : place;
    const message = `${name}: ${errorText(section)}`;
    return [{ problem: toProblem({ ...nearer, message, severity: "error" }), from, to }];
  });
