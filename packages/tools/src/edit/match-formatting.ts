import { contentEnd, diffLines, lineEnd, lineStart } from "@haft/contract/internal";
import type { TextRange } from "./line-rule.ts";
import { findTokens, formatting, type RareToken, scanTokens } from "./scan-tokens.ts";
import { indentationOf } from "./shift-indentation.ts";

/** A match, and the new text for it. */
interface FormattedMatch extends TextRange {
  readonly newText: string;
}

/**
 * Finds the only place with the same words and signs, where lines that the call keeps are formatted
 * otherwise: in space, line breaks, blank lines, the kind of quotes, commas and semicolons. The lines
 * that it changes must be there exactly, and those around them if it adds or removes lines. Skips a
 * match if the call adds or removes what it has otherwise than the file.
 */
export function matchFormatting(
  text: string,
  { rarest, ...call }: Record<"old" | "now", readonly string[]> & { readonly rarest: RareToken },
): FormattedMatch[] {
  const edges = countSameBlanks(call.old, call.now);
  const [old, now] = [call.old, call.now].map((lines) =>
    lines.slice(edges.before, lines.length - edges.after),
  ) as [string[], string[]];
  const frames = findFrames(old, now);
  // Most texts that are not found end here, before anything else is compared.
  if (!frames.every(({ from, to }) => text.includes(findLongest(old.slice(from, to))))) return [];
  const lines = old.map((line) => findTokens(line, formatting));
  const tokens = lines.flat();
  const wanted = tokens.map(([token]) => token);
  const places = scanTokens(text, { tokens: wanted, rule: formatting, rarest, limit: 2 });
  const [place] = places ?? [];
  if (place === undefined || places?.length !== 1) return [];
  const end = (place.at(-1) as number) + (tokens.at(-1)?.[0].length ?? 0);
  const own = text.slice(place[0] as number, end).split(/\r?\n/u);
  if (changesHabit({ file: own, old, now })) return [];
  const isWhole = { first: edges.before > 0, last: edges.after > 0 };
  const found: (FormattedMatch | undefined)[] = frames.map((frame) => {
    const range = findExact(text, frame, { old, lines, place, isWhole });
    return range && { ...range, newText: now.slice(frame.newFrom, frame.newTo).join("\n") };
  });
  return joinMatches(text, found);
}

/** Tells whether the call changes what it writes otherwise than the file: then its new text may be unfit. */
function changesHabit(lines: Readonly<Record<"file" | "old" | "now", readonly string[]>>): boolean {
  const { file, old, now } = lines;
  // The file's part begins and ends with a word or a sign that is compared.
  const inside = old
    .join("\n")
    .replaceAll(/^[\s,;]+|[\s,;]+$/gu, "")
    .split("\n");
  return habits.some((habit) => habit(file) !== habit(inside) && habit(old) !== habit(now));
}

const habits: readonly ((lines: readonly string[]) => string | number)[] = [
  ...[...formatting.ignored, ...formatting.alike].map(
    (sign) => (lines: readonly string[]) => lines.join("").split(sign).length,
  ),
  (lines) => lines.filter((line) => line.trim() === "").length,
  (lines) => {
    const filled = lines.filter((line) => line.trim() !== "");
    return filled.map(indentationOf).sort().join("\n");
  },
];

/** Counts the blank lines at the edges that both texts have. */
function countSameBlanks(
  old: readonly string[],
  now: readonly string[],
): { readonly before: number; readonly after: number } {
  const isSame = (at: number): boolean => old.at(at) === now.at(at) && old.at(at)?.trim() === "";
  const shorter = Math.min(old.length, now.length);
  let before = 0;
  while (before < shorter && isSame(before)) before++;
  let after = 0;
  while (after < shorter - before && isSame(-1 - after)) after++;
  return { before, after };
}

/** Lines of the old text that must be in the file exactly, and the new lines for them. */
interface Frame {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
  /** Each line is replaced by one line; otherwise lines come or go, or indentation changes. */
  readonly isLineByLine: boolean;
}

function findFrames(old: readonly string[], now: readonly string[]): Frame[] {
  const frames: Frame[] = [];
  const runs = diffLines(old, now);
  let [from, newFrom] = [0, 0];
  for (const [index, { isSame, before, after }] of runs.entries()) {
    const [to, newTo] = [from + before.length, newFrom + after.length];
    if (!isSame) {
      const isLineByLine = isPaired(before, after);
      // Otherwise the lines around them tell where, and how far to indent.
      const above = isLineByLine ? 0 : reach((runs[index - 1]?.before ?? []).toReversed());
      const below = isLineByLine ? 0 : reach(runs[index + 1]?.before ?? []);
      const frame = { from: from - above, to: to + below, newTo: newTo + below };
      const last = frames.at(-1);
      if (last !== undefined && frame.from <= last.to) {
        frames[frames.length - 1] = { ...last, ...frame, from: last.from, isLineByLine: false };
      } else {
        frames.push({ ...frame, newFrom: newFrom - above, isLineByLine });
      }
    }
    [from, newFrom] = [to, newTo];
  }
  return frames;
}

function isPaired(before: readonly string[], after: readonly string[]): boolean {
  return (
    before.length === after.length &&
    before.every((line, at) => {
      const other = after[at] as string;
      const isBlank = line.trim() === "" || other.trim() === "";
      return !isBlank && indentationOf(line) === indentationOf(other);
    })
  );
}

/** Returns how many lines to take until one is not blank, that line included. */
function reach(lines: readonly string[]): number {
  const found = lines.findIndex((line) => line.trim() !== "");
  return found === -1 ? lines.length : found + 1;
}

interface Placed {
  readonly old: readonly string[];
  /** The tokens of each old line. */
  readonly lines: readonly (readonly RegExpExecArray[])[];
  /** The offset of each token in the file. */
  readonly place: readonly number[];
  /** Whether the old text begins and ends with whole lines. */
  readonly isWhole: { readonly first: boolean; readonly last: boolean };
}

/** Returns the range of these lines of the old text in the file, if they are there exactly. */
function findExact(
  text: string,
  { from, to, isLineByLine }: Frame,
  { old, lines, place, isWhole }: Placed,
): TextRange | undefined {
  const [first, last] = [lines[from]?.[0], lines[to - 1]?.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const before = lines.slice(0, from).flat().length;
  const after = before + lines.slice(from, to).flat().length - 1;
  const start = (place[before] as number) - first.index;
  const rest = (old[to - 1] as string).length - last.index;
  const end = (place[after] as number) + rest;
  if (start < 0) return undefined;
  const isSame = text.slice(start, end).replaceAll("\r\n", "\n") === old.slice(from, to).join("\n");
  const isOpenBefore = isLineByLine && from === 0 && !isWhole.first;
  const isOpenAfter = isLineByLine && to === old.length && !isWhole.last;
  if (!isSame || (!isOpenBefore && start !== lineStart(text, start))) return undefined;
  if (!isOpenAfter && end !== contentEnd(text, start, lineEnd(text, end))) return undefined;
  return { start, end };
}

/** Returns one match from the first to the last of several, or none if one is missing. */
function joinMatches(
  text: string,
  parts: readonly (FormattedMatch | undefined)[],
): FormattedMatch[] {
  let joined: FormattedMatch | undefined;
  for (const part of parts) {
    if (part === undefined) return [];
    const between = joined && text.slice(joined.end, part.start).replaceAll("\r\n", "\n");
    joined = joined
      ? { start: joined.start, end: part.end, newText: joined.newText + between + part.newText }
      : part;
  }
  return joined === undefined ? [] : [joined];
}

function findLongest(lines: readonly string[]): string {
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest), "");
}
