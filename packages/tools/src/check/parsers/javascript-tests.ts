import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { errorText, lastLineOf } from "./sections.ts";
import { type ProblemFields, toProblem } from "./to-problem.ts";

/** Vitest: the names of failed tests, then their common error. */
export const vitest: ProblemParser = (lines) => {
  const parsed: ParsedProblem[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!title.test(lines[at] ?? "")) continue;
    const from = at;
    while (title.test(lines[at + 1] ?? "")) at++;
    const to = lastLineOf(lines, at, (line) => /^⎯{3,}|^ FAIL {2}/u.test(line));
    const section = lines.slice(at + 1, to + 1);
    for (let index = from; index <= at; index++) {
      const { file, name } = title.exec(lines[index] ?? "")?.groups ?? {};
      const message = name === undefined ? errorText(section) : `${name}: ${errorText(section)}`;
      const place = findStackFrame(section) ?? { file };
      const problem = toProblem({ ...place, message, severity: "error" });
      parsed.push({ problem, from: index, to: index === at ? to : index });
    }
    at = to;
  }
  return parsed;
};

const title = /^ FAIL {2}(?:\|[^|]*\| |\S+ {2})?(?<file>\S+?)(?: > (?<name>.*)| \[ .* \])\s*$/u;

/** Jest: a failed file, then its failed tests, each after a dot. */
export const jest: ProblemParser = (lines) => {
  const parsed: ParsedProblem[] = [];
  let file: string | undefined;
  for (const [from, line] of lines.entries()) {
    file =
      /^FAIL\s+(?:\S+\s+)??(?<file>\S+\.\w+)(?: \([\d.]+ m?s\))?\s*$/u.exec(line)?.groups?.file ??
      file;
    const name = /^ {2}● (?<name>.+?)\s*$/u.exec(line)?.groups?.name;
    if (name === undefined || name === "Console" || file === undefined) continue;
    const to = lastLineOf(lines, from, (each) => /^(?: {2}● |\S)/u.test(each));
    const section = lines.slice(from + 1, to + 1);
    const place = findStackFrame(section) ?? { file };
    const message = `${name}: ${errorText(section)}`;
    parsed.push({ problem: toProblem({ ...place, message, severity: "error" }), from, to });
  }
  return parsed;
};

/** Mocha: the number of failures, then each with a number, its names and its error. */
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

/** Node's own test runner: at the end, each failed test with its location and error. */
export const nodeTest: ProblemParser = (lines) =>
  lines.flatMap((line, from): ParsedProblem[] => {
    const place = /^test at (?<file>.+):(?<line>\d+):(?<column>\d+)\s*$/u.exec(line)?.groups;
    const name = /^✖ (?<name>.*?)(?: \([\d.]+ms\))?\s*$/u.exec(lines[from + 1] ?? "")?.groups?.name;
    if (place === undefined || name === undefined) return [];
    const to = lastLineOf(lines, from, (each) => each.startsWith("test at "));
    const section = lines.slice(from + 2, to + 1);
    const found = findStackFrame(section);
    // The stack has the failing line, but it may be in a helper's file.
    const nearer = found?.file?.endsWith(`/${place.file}`) ? { ...found, file: place.file } : place;
    const message = `${name}: ${errorText(section)}`;
    return [{ problem: toProblem({ ...nearer, message, severity: "error" }), from, to }];
  });

/** Finds the first frame of a stack trace that is neither in a dependency nor in Node. */
function findStackFrame(lines: readonly string[]): ProblemFields | undefined {
  for (const line of lines) {
    const parts = frame.exec(line)?.groups;
    if (parts?.file !== undefined && !foreign.test(parts.file)) return parts;
  }
  return undefined;
}

const frame =
  /^\s*(?:at|❯)\s+(?:.*?[\s(])??(?:file:\/\/)?(?<file>[^\s():]+):(?<line>\d+):(?<column>\d+)\)?\s*$/u;

const foreign = /(?:^|\/)node_modules\/|^node:|^internal\//u;
