import { clipText } from "@haft/contract/internal";
import type { Problem, ProblemSeverity } from "../problem.ts";

/** The fields of a problem, as named groups of a pattern. */
export type ProblemFields = Readonly<Record<string, string | undefined>>;

const maxMessageLength = 300;

/** Creates a problem from the fields `file`, `line`, `column`, `severity`, `code` and `message`. */
export function toProblem(parts: ProblemFields): Problem {
  const problem: Problem = { message: clip(parts.message ?? "") };
  if (parts.file !== undefined) problem.file = parts.file;
  if (parts.line !== undefined) problem.line = Number(parts.line);
  if (parts.column !== undefined) problem.column = Number(parts.column);
  const severity = severities.get(parts.severity?.toLowerCase() ?? "");
  if (severity !== undefined) problem.severity = severity;
  if (parts.code !== undefined && parts.code !== "") problem.code = parts.code;
  return problem;
}

const severities: ReadonlyMap<string, ProblemSeverity> = new Map([
  ["error", "error"],
  ["fatal error", "error"],
  ["parse error", "error"],
  ["fatal", "error"],
  ["e", "error"],
  ["f", "error"],
  ["×", "error"],
  ["✖", "error"],
  ["warning", "warning"],
  ["w", "warning"],
  ["c", "warning"],
  ["r", "warning"],
  ["!", "warning"],
  ["⚠", "warning"],
  ["info", "info"],
  ["information", "info"],
  ["notice", "info"],
  ["note", "info"],
  ["style", "info"],
  ["i", "info"],
  ["ℹ", "info"],
]);

function clip(message: string): string {
  const plain = message.trim();
  return clipText(plain, maxMessageLength);
}
