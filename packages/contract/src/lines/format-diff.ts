import { diffLines } from "./diff-lines.ts";
import { findHunks } from "./find-hunks.ts";
import { type Splice, spliceText } from "./splice-text.ts";
import { countBreaks, lineEnd, lineStart, splitLines } from "./text-lines.ts";

/** A change of a text as a diff. */
export interface TextDiff {
  /** In git's format: `--- a/path`, `+++ b/path`, hunks with three lines of context; or empty. */
  readonly diff: string;
  /**
   * The first and last changed line of the new text, from 1. If lines were only removed, it is the
   * line that follows them, or the last.
   */
  readonly lineRange: readonly [first: number, last: number];
}

/** Formats splices of a text as a diff, without comparing the whole text. */
export function formatDiff(path: string, before: string, splices: readonly Splice[]): TextDiff {
  const changes: Change[] = [];
  for (const region of toRegions(before, splices)) {
    for (const change of compareRegion(before, region, changes.at(-1))) {
      const last = changes.at(-1);
      if (last?.end === change.start) extend(last, change);
      else changes.push(change);
    }
  }
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) {
    const line = countBreaks(before, 0, splices[0]?.start ?? 0) + 1;
    return { diff: "", lineRange: [line, line] };
  }
  const hunks = groupChanges(changes).map((group) => formatHunk(before, group));
  return {
    diff: `--- ${quotePath("a", path)}\n+++ ${quotePath("b", path)}\n${hunks.join("")}`,
    lineRange: [firstLine(first, before), lastLine(last, before)],
  };
}

/** Compares two texts and formats the differences as a diff. Empty if there are none. */
export function compareTexts(path: string, before: string, after: string): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  const starts = [0];
  for (const line of old) starts.push((starts.at(-1) as number) + line.length);
  const splices = findHunks(old, now).map(({ start, end, newStart, newEnd }) => ({
    start: starts[start] as number,
    end: starts[end] as number,
    text: now.slice(newStart, newEnd).join(""),
  }));
  return formatDiff(path, before, splices).diff;
}

/** Whole lines that change, and their replacement. */
interface Region {
  readonly start: number;
  end: number;
  readonly splices: Splice[];
}

/** Lines that are replaced by others. Line numbers count from 0. */
interface Change {
  readonly oldLine: number;
  readonly newLine: number;
  readonly start: number;
  end: number;
  readonly removed: string[];
  readonly added: string[];
}

const contextLines = 3;

function toRegions(before: string, splices: readonly Splice[]): Region[] {
  const regions: Region[] = [];
  for (const splice of splices) {
    const start = lineStart(before, splice.start);
    const end = lineEnd(before, splice.end);
    const last = regions.at(-1);
    // The next line may be joined to the last one.
    if (last !== undefined && (start < last.end || last.end === before.length)) {
      last.splices.push(splice);
      last.end = Math.max(last.end, end);
    } else {
      regions.push({ start, end, splices: [splice] });
    }
  }
  return regions;
}

function compareRegion(before: string, region: Region, last: Change | undefined): Change[] {
  const { start, end } = region;
  const inside = region.splices.map((splice) => ({
    start: splice.start - start,
    end: splice.end - start,
    text: splice.text,
  }));
  const old = before.slice(start, end);
  const changes: Change[] = [];
  let oldLine =
    last === undefined
      ? countBreaks(before, 0, start)
      : last.oldLine + last.removed.length + countBreaks(before, last.end, start);
  let newLine = last === undefined ? oldLine : oldLine + last.newLine - last.oldLine + growth(last);
  let at = start;
  for (const run of diffLines(splitLines(old), splitLines(spliceText(old, inside)))) {
    const length = run.before.reduce((sum, line) => sum + line.length, 0);
    if (!run.isSame) {
      const place = { oldLine, newLine, start: at, end: at + length };
      changes.push({ ...place, removed: [...run.before], added: [...run.after] });
    }
    at += length;
    oldLine += run.before.length;
    newLine += run.after.length;
  }
  return changes;
}

/** Merges an adjacent change into another. */
function extend(change: Change, next: Change): void {
  change.end = next.end;
  for (const line of next.removed) change.removed.push(line);
  for (const line of next.added) change.added.push(line);
}

function growth(change: Change): number {
  return change.added.length - change.removed.length;
}

/** Groups changes whose context lines would touch into one hunk. */
function groupChanges(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    const near =
      last !== undefined && change.oldLine - last.oldLine - last.removed.length <= 2 * contextLines;
    if (near) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function formatHunk(before: string, group: readonly Change[]): string {
  const [first, last] = [group[0] as Change, group.at(-1) as Change];
  let head = first.start;
  for (let lines = 0; lines < contextLines && head > 0; lines++) head = lineStart(before, head - 1);
  let tail = last.end;
  for (let lines = 0; lines < contextLines; lines++) tail = lineEnd(before, tail);
  let body = "";
  let context = 0;
  let at = head;
  const keep = (end: number): void => {
    const lines = splitLines(before.slice(at, end));
    context += lines.length;
    body += showLines(" ", lines);
  };
  for (const { start, end, removed, added } of group) {
    keep(start);
    body += showLines("-", removed) + showLines("+", added);
    at = end;
  }
  const lead = countBreaks(before, head, first.start);
  keep(tail);
  const removed = group.reduce((sum, change) => sum + change.removed.length, context);
  const added = group.reduce((sum, change) => sum + change.added.length, context);
  const old = formatRange(first.oldLine - lead, removed);
  return `@@ -${old} +${formatRange(first.newLine - lead, added)} @@\n${body}`;
}

function formatRange(line: number, count: number): string {
  // An empty range has the number of the line before it.
  return `${count === 0 ? line : line + 1},${count}`;
}

function showLines(sign: string, lines: readonly string[]): string {
  let shown = "";
  for (const line of lines) {
    shown += sign + line;
    if (!line.endsWith("\n")) shown += "\n\\ No newline at end of file\n";
  }
  return shown;
}

function firstLine(change: Change, before: string): number {
  const isAtEnd = change.added.length === 0 && change.end === before.length;
  return Math.max(1, isAtEnd ? change.newLine : change.newLine + 1);
}

function lastLine(change: Change, before: string): number {
  if (change.added.length === 0) return firstLine(change, before);
  return change.newLine + change.added.length;
}

/** Formats a name like git: quoted if it would break the line, with a tab after it if it has a space. */
function quotePath(side: "a" | "b", path: string): string {
  const name = `${side}/${path.replace(/^\/+/u, "")}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be quoted
  if (/["\\\u0000-\u001f\u007f]/u.test(name)) return JSON.stringify(name);
  return name.includes(" ") ? `${name}\t` : name;
}
