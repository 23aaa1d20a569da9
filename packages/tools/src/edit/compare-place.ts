import { diffLines } from "../text/diff-lines.ts";
import type { NearPlace } from "./nearest-places.ts";

/** A line of the file and one that was looked for in its place; either may be missing. */
export interface LinePair {
  /** The number of the file's line, counted from 1; that of the next one if it has none here. */
  readonly line: number;
  readonly is: string | undefined;
  readonly wanted: string | undefined;
}

/** Puts the lines of a place beside those that were looked for. */
export function comparePlace(place: NearPlace, wanted: readonly string[]): LinePair[] {
  const { line, before, lines, after } = place;
  const wide = pairLines([...before, ...lines, ...after], wanted);
  if (wide.some(({ is, wanted: want }) => is?.trim() === want?.trim())) {
    // Lines around the place are no part of it.
    const first = wide.findIndex((pair) => pair.wanted !== undefined);
    const last = wide.findLastIndex((pair) => pair.wanted !== undefined);
    return number(wide.slice(first, last + 1), line + 1 - before.length + countLines(wide, first));
  }
  const length = Math.max(lines.length, wanted.length);
  const pairs = Array.from({ length }, (_, at) => ({ is: lines[at], wanted: wanted[at] }));
  return number(pairs, line + 1);
}

type Pair = Omit<LinePair, "line">;

function pairLines(found: readonly string[], wanted: readonly string[]): Pair[] {
  const trim = (line: string): string => line.trim();
  const pairs: Pair[] = [];
  let [at, from] = [0, 0];
  for (const [index, run] of diffLines(found.map(trim), wanted.map(trim)).entries()) {
    const [olds, news] = [run.before.length, run.after.length];
    const length = Math.max(olds, news);
    // What comes first belongs to what follows it.
    const [skipOld, skipNew] = index === 0 ? [length - olds, length - news] : [0, 0];
    for (let row = 0; row < length; row++) {
      const [old, want] = [row - skipOld, row - skipNew];
      pairs.push({
        is: old >= 0 && old < olds ? found[at + old] : undefined,
        wanted: want >= 0 && want < news ? wanted[from + want] : undefined,
      });
    }
    at += olds;
    from += news;
  }
  return pairs;
}

function countLines(pairs: readonly Pair[], end: number): number {
  return pairs.slice(0, end).filter(({ is }) => is !== undefined).length;
}

function number(pairs: readonly Pair[], first: number): LinePair[] {
  let line = first;
  return pairs.map((pair) => ({ ...pair, line: pair.is === undefined ? line : line++ }));
}
