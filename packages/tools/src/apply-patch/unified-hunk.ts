import { type HunkBody, parseHunkBody } from "./hunk-body.ts";
import { parseHunkHeader } from "./hunk-header.ts";
import { isBlankLine, isHunkLine, toHunkLine, unendLast } from "./hunk-line.ts";
import type { Hunk, HunkLine } from "./patch.ts";
import { patchError } from "./patch-error.ts";

/** A hunk, and the line of the patch after it. */
export interface ParsedHunk {
  readonly hunk: Hunk;
  readonly next: number;
  /** The number of new lines according to its header. */
  readonly newCount: number | undefined;
}

/**
 * Parses a hunk of a unified diff. Its header gives the length; if that is clearly wrong, the hunk
 * ends with the last line that has a sign.
 */
export function parseUnifiedHunk(lines: readonly string[], start: number): ParsedHunk {
  const header = parseHunkHeader(lines[start] as string);
  const counts = header && { old: header.old.count, new: header.new.count };
  const counted = counts && takeCounted(lines, start + 1, counts);
  const body = counted ?? takeSigned(lines, start + 1);
  if (body.lines.length === 0) throw patchError(start, "this hunk has no lines.");
  requireOrder(body.lines, start);
  const hunk: Hunk = { lines: body.lines, anchors: [], isAtEnd: false };
  return {
    hunk: header === undefined ? hunk : { ...hunk, hint: header.old },
    next: body.next,
    newCount: header?.new.count,
  };
}

/** Tells whether a file header begins here. A removed line can look like its first line. */
export function isFileHeader(lines: readonly string[], at: number): boolean {
  return (
    (lines[at]?.startsWith("--- ") ?? false) &&
    (lines[at + 1]?.startsWith("+++ ") ?? false) &&
    (lines[at + 2] === undefined || /^(?:@@|\s*$)/u.test(lines[at + 2] as string))
  );
}

function takeCounted(
  lines: readonly string[],
  start: number,
  counts: { readonly old: number; readonly new: number },
): HunkBody | undefined {
  const body: HunkLine[] = [];
  let { old, new: added } = counts;
  let at = start;
  for (; old > 0 || added > 0 || lines[at]?.startsWith("\\"); at++) {
    const line = lines[at];
    if (line === undefined) return undefined;
    if (line.startsWith("\\")) {
      unendLast(body, at);
      continue;
    }
    if (!isBlankLine(line) && !isHunkLine(line)) return undefined;
    const parsed: HunkLine = isBlankLine(line)
      ? { kind: "same", text: line }
      : toHunkLine(line, at);
    body.push(parsed);
    if (parsed.kind !== "added") old--;
    if (parsed.kind !== "removed") added--;
    if (old < 0 || added < 0) return undefined;
  }
  return isEnd(lines, at) ? { lines: body, next: at } : undefined;
}

/** Tells whether the hunk ends here: no more lines with a sign follow, directly or after text. */
function isEnd(lines: readonly string[], from: number): boolean {
  let at = from;
  while (at < lines.length && isBlankLine(lines[at] as string)) at++;
  const isNear = at === from;
  for (; at < lines.length; at++) {
    const line = lines[at] as string;
    if (isFileHeader(lines, at) || isSignature(lines, at) || ends.test(line)) return true;
    if (isHunkLine(line)) return false;
    if (!isNear || isBlankLine(line)) return true;
  }
  return true;
}

/** Tells whether this is the signature of a mail from git: two dashes, then git's version. */
function isSignature(lines: readonly string[], at: number): boolean {
  return /^-- ?\r?$/u.test(lines[at] ?? "") && /^(?:\d+\.\d|$)/u.test(lines[at + 1] ?? "");
}

function takeSigned(lines: readonly string[], start: number): HunkBody {
  return parseHunkBody(
    lines,
    start,
    (at) => isFileHeader(lines, at) || isSignature(lines, at) || ends.test(lines[at] as string),
  );
}

const ends =
  /^(?:@@|diff -|```|~~~|Index: |={10,}|Only in |From [0-9a-f]{40} |\*\*\* |EOF\s*$|PATCH\s*$)/u;

/** Refuses lines after the last line of the file. */
function requireOrder(lines: readonly HunkLine[], at: number): void {
  for (const side of ["removed", "added"] as const) {
    const ofSide = lines.filter(({ kind }) => kind === side || kind === "same");
    if (!ofSide.slice(0, -1).some(({ isUnended }) => isUnended)) continue;
    throw patchError(
      at,
      "this hunk has lines after the one that it marks as the last of the file (`\\ No newline at end of file`).",
    );
  }
}
