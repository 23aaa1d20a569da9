import { ToolError } from "@haft/contract";
import { formatDiff, type TextDiff, utf8Head, utf8Length } from "@haft/contract/internal";
import type { Splice } from "../text/text-document.ts";
import type { Strategy } from "./comparable-lines.ts";
import type { DraftFile } from "./draft-file.ts";
import type { TouchedPath } from "./patch-files.ts";

/** The changes of a patch to one file. */
export interface PatchedFile {
  path: string;
  action: "created" | "updated" | "deleted" | "moved";
  moved_to?: string;
  diff: string;
  line_range?: [first: number, last: number];
  strategy?: Strategy;
  offset?: number;
}

/** Maximum bytes of all diffs of a call together. */
export const maxDiffBytes: number = 100 * 1024;

/** Describes each file that a patch touched, before and after. */
export function reportFiles(
  touched: readonly TouchedPath[],
  toName: (path: string) => string,
): PatchedFile[] {
  const ends = new Map<DraftFile, string>();
  for (const { path, after } of touched) if (after !== undefined) ends.set(after, path);
  const files = touched.flatMap((place) => {
    const file = reportPath(place, ends, toName);
    return file === undefined ? [] : [file];
  });
  return shareRoom(files);
}

function reportPath(
  { path, before, after }: TouchedPath,
  ends: ReadonlyMap<DraftFile, string>,
  toName: (path: string) => string,
): PatchedFile | undefined {
  const name = toName(path);
  if (before === undefined) {
    if (after === undefined || after.origin !== undefined) return undefined;
    const whole = describeWhole(name, { after });
    const diff = whole.diff.replace(/^.*\n/u, "--- /dev/null\n");
    return { path, action: "created", ...toShown(whole), diff };
  }
  const end = ends.get(before);
  if (end === path) {
    if (before.splices.length === 0 && before.isExecutable === undefined) return undefined;
    return { path, action: "updated", ...describeChange(name, before) };
  }
  if (end !== undefined) {
    const change = describeChange(toName(end), before);
    const diff = `rename from ${name}\nrename to ${toName(end)}\n${change.diff}`;
    return { path, action: "moved", moved_to: end, ...change, diff };
  }
  if (after === undefined) {
    const { diff } = describeWhole(name, { before });
    return { path, action: "deleted", diff: diff.replace(/^(.*\n).*/u, "$1+++ /dev/null") };
  }
  // A file that a move overwrote is reported with the move.
  if (after.origin !== undefined) return undefined;
  return { path, action: "updated", ...toShown(describeWhole(name, { before, after })) };
}

type Shown = Pick<PatchedFile, "diff" | "line_range" | "strategy" | "offset">;

function describeChange(name: string, draft: DraftFile): Shown {
  const { splices, fit } = draft;
  if (splices.length === 0) return { diff: "" };
  return {
    ...toShown(formatDiff(name, draft.document.text, splices)),
    ...(fit === undefined ? {} : { strategy: fit.strategy }),
    ...(fit === undefined || fit.offset === 0 ? {} : { offset: fit.offset }),
  };
}

/** Describes a file that was created, deleted or replaced as a whole. */
function describeWhole(
  name: string,
  { before, after }: { readonly before?: DraftFile; readonly after?: DraftFile },
): TextDiff {
  const old = (before && readText(before, "document")) ?? "";
  const text = (after && readText(after, "now")) ?? "";
  const whole: Splice = { start: 0, end: old.length, text };
  return formatDiff(name, old, [whole]);
}

/** Returns the text of a file, or `undefined` if it is not text or may not be read. */
function readText(draft: DraftFile, when: "document" | "now"): string | undefined {
  try {
    return when === "now" ? draft.text : draft.document.text;
  } catch (error) {
    if (ToolError.isInstance(error)) return undefined;
    throw error;
  }
}

function toShown({ diff, lineRange: [first, last] }: TextDiff): Shown {
  return diff === "" ? { diff } : { diff, line_range: [first, last] };
}

/** Cuts the longest diffs, so that those of many files fit into one result. */
function shareRoom(files: PatchedFile[]): PatchedFile[] {
  const lengths = files.map(({ diff }) => utf8Length(diff));
  let room = maxDiffBytes;
  let left = files.length;
  let maxBytes = 0;
  for (const length of lengths.toSorted((a, b) => a - b)) {
    maxBytes = Math.floor(room / left);
    if (length <= maxBytes) room -= length;
    left--;
    if (length > maxBytes) break;
  }
  return files.map((file, index) => {
    const length = lengths[index] as number;
    return length <= maxBytes ? file : { ...file, diff: clipDiff(file.diff, maxBytes, length) };
  });
}

function clipDiff(diff: string, maxBytes: number, length: number): string {
  const head = utf8Head(diff, maxBytes);
  const lines = head.slice(0, head.lastIndexOf("\n") + 1);
  return `${lines}[${length - utf8Length(lines)} more bytes of this diff omitted]\n`;
}
