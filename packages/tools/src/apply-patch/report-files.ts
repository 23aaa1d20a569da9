import { ToolError, utf8Head, utf8Length } from "@haft/contract";
import { formatDiff, type TextDiff } from "../text/format-diff.ts";
import type { Splice } from "../text/text-document.ts";
import type { Strategy } from "./comparable-lines.ts";
import type { DraftFile } from "./draft-file.ts";
import type { TouchedPath } from "./patch-files.ts";

/** What a patch did to one file. */
export interface PatchedFile {
  path: string;
  action: "created" | "updated" | "deleted" | "moved";
  moved_to?: string;
  diff: string;
  line_range?: [first: number, last: number];
  strategy?: Strategy;
  offset?: number;
}

/** All diffs of a call together are cut to this many bytes. */
export const mostDiffBytes: number = 100 * 1024;

/** Describes each file that a patch touched, as it was and as it is. */
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
  // What another file was moved over is told there.
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

/** A file that came, went, or was replaced as a whole. */
function describeWhole(
  name: string,
  { before, after }: { readonly before?: DraftFile; readonly after?: DraftFile },
): TextDiff {
  const old = (before && readText(before, "document")) ?? "";
  const text = (after && readText(after, "now")) ?? "";
  const whole: Splice = { start: 0, end: old.length, text };
  return formatDiff(name, old, [whole]);
}

/** Nothing is shown of what is no text or must not be read. */
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

/** Cuts the longest diffs, so that what many files say fits into one answer. */
function shareRoom(files: PatchedFile[]): PatchedFile[] {
  const lengths = files.map(({ diff }) => utf8Length(diff));
  let room = mostDiffBytes;
  let left = files.length;
  let most = 0;
  for (const length of lengths.toSorted((a, b) => a - b)) {
    most = Math.floor(room / left);
    if (length <= most) room -= length;
    left--;
    if (length > most) break;
  }
  return files.map((file, index) => {
    const length = lengths[index] as number;
    return length <= most ? file : { ...file, diff: clip(file.diff, most, length) };
  });
}

function clip(diff: string, most: number, length: number): string {
  const head = utf8Head(diff, most);
  const lines = head.slice(0, head.lastIndexOf("\n") + 1);
  return `${lines}[${length - utf8Length(lines)} more bytes of this diff are not shown]\n`;
}
