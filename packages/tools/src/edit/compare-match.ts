import { diffLines } from "@haft/contract/internal";
import type { NearMatch } from "./nearest-matches.ts";

/** A line of the file and the wanted line at its position; either may be missing. */
export interface LinePair {
  /** The number of the file's line, from 1; of the next line if the file has none here. */
  readonly line: number;
  readonly is: string | undefined;
  readonly wanted: string | undefined;
}

/** Pairs the lines of a near match with the wanted lines. */
export function compareMatch(place: NearMatch, wanted: readonly string[]): LinePair[] {
  const { line, before, lines, after } = place;
  const wide = pairLines([...before, ...lines, ...after], wanted);
  if (wide.some(({ is, wanted: want }) => is?.trim() === want?.trim())) {
    // Surrounding lines are not part of the match.
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
    // The first lines belong to those that follow.
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
