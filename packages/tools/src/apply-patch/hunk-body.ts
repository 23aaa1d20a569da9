import { isBlankLine, toHunkLine, unendLast } from "./hunk-line.ts";
import type { HunkLine } from "./patch.ts";

/** The lines of a hunk, and the line of the patch after them. */
export interface HunkBody {
  readonly lines: HunkLine[];
  readonly next: number;
}

/** Parses lines with a sign up to the end of the hunk. */
export function parseHunkBody(
  lines: readonly string[],
  start: number,
  isEnd: (at: number) => boolean,
): HunkBody {
  const body: HunkLine[] = [];
  let blanks: HunkLine[] = [];
  let at = start;
  for (; at < lines.length && !isEnd(at); at++) {
    const line = lines[at] as string;
    if (isBlankLine(line)) {
      // If more of the hunk follows, this is a context line that lost its space; otherwise it separates.
      blanks.push({ kind: "same", text: line });
    } else if (line.startsWith("\\")) {
      unendLast(body, at);
    } else {
      // A line without a sign does not end the hunk: the rest of it may follow.
      body.push(...blanks, toHunkLine(line, at));
      blanks = [];
    }
  }
  return { lines: body, next: at };
}
