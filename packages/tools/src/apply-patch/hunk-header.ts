import type { LineHint } from "./patch.ts";

/** The numbers of a hunk's header, as in `@@ -12,5 +12,6 @@ heading`. */
export interface HunkHeader {
  readonly old: LineHint;
  readonly new: LineHint;
}

/** Parses the header of a hunk. Returns `undefined` if it has no numbers. */
export function parseHunkHeader(line: string): HunkHeader | undefined {
  const [, oldStart, oldCount = "1", newStart, newCount = "1"] = header.exec(line) ?? [];
  if (oldStart === undefined || newStart === undefined) return undefined;
  return {
    old: { start: Number(oldStart), count: Number(oldCount) },
    new: { start: Number(newStart), count: Number(newCount) },
  };
}

const header = /^@@ *-(\d{1,15})(?:,(\d{1,15}))? +\+(\d{1,15})(?:,(\d{1,15}))? *(?:@@|$)/u;
