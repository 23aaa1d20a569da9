import type { HunkLine } from "./patch.ts";
import { patchError } from "./patch-error.ts";

/** Reads a line of a hunk by the sign that it begins with; `at` is its place in the patch. */
export function toHunkLine(line: string, at: number): HunkLine {
  const kind = kinds.get(line[0] ?? "");
  if (kind === undefined) {
    throw patchError(
      at,
      "a line of a hunk begins with a space (it stays), - (it goes) or + (it is new).",
    );
  }
  return { kind, text: line.slice(1) };
}

/** Whether a line could belong to a hunk. */
export function isHunkLine(line: string): boolean {
  return kinds.has(line[0] ?? "") || line.startsWith("\\");
}

/** An empty line, perhaps one of context whose space was lost. */
export function isBlankLine(line: string): boolean {
  return line === "" || line === "\r";
}

/** Notes that no line break follows the last line: the patch has `\ No newline at end of file`. */
export function unendLast(lines: HunkLine[], at: number): void {
  const last = lines.pop();
  if (last === undefined) throw patchError(at, "no line stands before this note.");
  lines.push({ ...last, isUnended: true });
}

const kinds: ReadonlyMap<string, HunkLine["kind"]> = new Map([
  [" ", "same"],
  ["-", "removed"],
  ["+", "added"],
]);
