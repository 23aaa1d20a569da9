import { diffLines } from "./diff-lines.ts";

/** Lines of one text that differ in another. Ends are exclusive; either range may be empty. */
export interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Finds the differences of two texts, in order. Lines that occur once in each text are matched first:
 * that finds distant changes in large texts, where comparing all lines would take too long.
 */
export function findHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  compare({ before, after }, wholeOf(before, after), hunks);
  return hunks;
}

interface Texts {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function wholeOf(before: readonly string[], after: readonly string[]): Hunk {
  return { start: 0, end: before.length, newStart: 0, newEnd: after.length };
}

function compare(texts: Texts, part: Hunk, hunks: Hunk[]): void {
  const { start, end, newStart, newEnd } = trim(texts, part);
  if (start === end && newStart === newEnd) return;
  const anchors = findAnchors(texts, { start, end, newStart, newEnd });
  if (start === end || newStart === newEnd || anchors.length === 0) {
    compareClosely(texts, { start, end, newStart, newEnd }, hunks);
    return;
  }
  let [row, column] = [start, newStart];
  for (const [anchor, newAnchor] of anchors) {
    compare(texts, { start: row, end: anchor, newStart: column, newEnd: newAnchor }, hunks);
    [row, column] = [anchor + 1, newAnchor + 1];
  }
  compare(texts, { start: row, end, newStart: column, newEnd }, hunks);
}

function trim({ before, after }: Texts, part: Hunk): Hunk {
  let { start, end, newStart, newEnd } = part;
  while (start < end && newStart < newEnd && before[start] === after[newStart]) {
    start++;
    newStart++;
  }
  while (end > start && newEnd > newStart && before[end - 1] === after[newEnd - 1]) {
    end--;
    newEnd--;
  }
  return { start, end, newStart, newEnd };
}

function compareClosely({ before, after }: Texts, part: Hunk, hunks: Hunk[]): void {
  let [row, column] = [part.start, part.newStart];
  const runs = diffLines(
    before.slice(part.start, part.end),
    after.slice(part.newStart, part.newEnd),
  );
  for (const run of runs) {
    const end = row + run.before.length;
    const newEnd = column + run.after.length;
    if (!run.isSame) hunks.push({ start: row, end, newStart: column, newEnd });
    [row, column] = [end, newEnd];
  }
}

type Pair = readonly [line: number, newLine: number];

/** Finds equal lines that occur once in each part, as many as possible without crossing. */
function findAnchors({ before, after }: Texts, part: Hunk): Pair[] {
  const places = findSingles(before, part.start, part.end);
  const newPlaces = findSingles(after, part.newStart, part.newEnd);
  const pairs: Pair[] = [];
  for (const [line, place] of places) {
    const newPlace = newPlaces.get(line);
    if (place !== -1 && newPlace !== undefined && newPlace !== -1) pairs.push([place, newPlace]);
  }
  return findLongestRise(pairs);
}

/** Returns the position of each line; -1 for those that occur more than once. */
function findSingles(lines: readonly string[], start: number, end: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at++) {
    const line = lines[at] as string;
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** Returns the longest subsequence of pairs whose second numbers increase. */
function findLongestRise(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, newLine]] of pairs.entries()) {
    const at = findPlace(ends, (end) => (pairs[end]?.[1] as number) >= newLine);
    previous[index] = ends[at - 1] ?? -1;
    ends[at] = index;
  }
  const rise: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index] as number) {
    rise.push(pairs[index] as Pair);
  }
  return rise.reverse();
}

/** Binary search: returns the first entry for which `holds` is true. */
function findPlace(entries: readonly number[], holds: (entry: number) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(entries[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
