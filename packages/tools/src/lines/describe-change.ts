import { ToolError } from "@haft/contract";
import { formatDiff } from "../text/format-diff.ts";
import { splitLines } from "../text/lines.ts";
import { openText, type Splice } from "../text/text-document.ts";
import { findHunks } from "./find-hunks.ts";

// Beyond this a diff is no longer read but only paid for.
const mostCharacters = 32_000;

/** The diff between two contents of a file, if both are text and it is short enough to be read. */
export function describeChange(
  name: string,
  before: Uint8Array,
  after: Uint8Array,
): string | undefined {
  const [old, now] = [readText(before, name), readText(after, name)];
  if (old === undefined || now === undefined) return undefined;
  const { diff } = formatDiff(name, old, toSplices(splitLines(old), splitLines(now)));
  return diff.length > 0 && diff.length <= mostCharacters ? diff : undefined;
}

function readText(bytes: Uint8Array, name: string): string | undefined {
  try {
    return openText(bytes, name).text;
  } catch (error) {
    if (ToolError.isInstance(error)) return undefined;
    throw error;
  }
}

function toSplices(before: readonly string[], after: readonly string[]): Splice[] {
  const starts = [0];
  for (const line of before) starts.push((starts.at(-1) as number) + line.length);
  return findHunks(before, after).map(({ start, end, newStart, newEnd }) => ({
    start: starts[start] as number,
    end: starts[end] as number,
    text: after.slice(newStart, newEnd).join(""),
  }));
}
