import type { HunkLine } from "./patch.ts";
import { patchError } from "./patch-error.ts";

/** Parses a line of a hunk by its sign. `at` is its line in the patch. */
export function toHunkLine(line: string, at: number): HunkLine {
  const kind = kinds.get(line[0] ?? "");
  if (kind === undefined) {
    throw patchError(
      at,
      "a line of a hunk must begin with a space (unchanged), - (removed) or + (added).",
    );
  }
  return { kind, text: line.slice(1) };
}

/** Tells whether a line could belong to a hunk. */
export function isHunkLine(line: string): boolean {
  return kinds.has(line[0] ?? "") || line.startsWith("\\");
}

/** Tells whether a line is empty. It may be a context line that lost its space. */
export function isBlankLine(line: string): boolean {
  return line === "" || line === "\r";
}

/** Marks the last line as one without a line break, for `\ No newline at end of file`. */
export function unendLast(lines: HunkLine[], at: number): void {
  const last = lines.pop();
  if (last === undefined) throw patchError(at, "there is no line before this note.");
  lines.push({ ...last, isUnended: true });
}

const kinds: ReadonlyMap<string, HunkLine["kind"]> = new Map([
  [" ", "same"],
  ["-", "removed"],
  ["+", "added"],
]);
