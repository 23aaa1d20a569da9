import { isBlankLine, toHunkLine, unendLast } from "./hunk-line.ts";
import type { HunkLine } from "./patch.ts";

/** The lines of a hunk, and the line of the patch after them. */
export interface HunkBody {
  readonly lines: HunkLine[];
  readonly next: number;
}

/** Reads lines with a sign up to where the hunk ends. */
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
      // Context that has lost its space if more of the hunk follows, else what stands between.
      blanks.push({ kind: "same", text: line });
    } else if (line.startsWith("\\")) {
      unendLast(body, at);
    } else {
      // A line without a sign is not the end: the rest of the hunk may stand behind it.
      body.push(...blanks, toHunkLine(line, at));
      blanks = [];
    }
  }
  return { lines: body, next: at };
}
