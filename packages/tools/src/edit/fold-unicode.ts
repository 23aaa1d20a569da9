/** A text in which look-alike characters are equal, with the original offsets. */
export interface FoldedText {
  readonly text: string;
  /**
   * Returns the original offset of the start or end of a part, or `undefined` if it is inside a
   * character. Removed characters belong to neither side.
   */
  toOriginal(offset: number, edge: "start" | "end"): number | undefined;
}

/**
 * Makes characters equal that models confuse: quotes, dashes, spaces, invisible characters, and
 * everything that compatibility normalization (NFKC) makes equal.
 */
export function foldUnicode(text: string): FoldedText {
  if (!lookAlike.test(text) && text.normalize("NFKC") === text) {
    return { text, toOriginal: (offset) => offset };
  }
  const runs: Run[] = [];
  let growth = 0;
  const folded = text.replace(runPattern, (run, index: number) => {
    const replacement = fold(run);
    if (replacement !== run) {
      const start = index + growth;
      growth += replacement.length - run.length;
      runs.push({ start, end: start + replacement.length, original: index, text: run });
    }
    return replacement;
  });
  return { text: folded, toOriginal: (offset, edge) => locate(runs, offset, edge) };
}

/** A part of the text that folding changed. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly original: number;
  readonly text: string;
}

const lookAlikes: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201b\u2032\u2035\u00b4\u02bc\uff07]/gu, "'"],
  [/[\u201c-\u201f\u2033\u2036\u00ab\u00bb\uff02]/gu, '"'],
  [/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/gu, "-"],
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu, " "],
  [/[\u00ad\u200b\u2060\ufeff]/gu, ""],
];
const lookAlike = new RegExp(lookAlikes.map(([{ source }]) => source).join("|"), "u");

// A combining accent may follow an ASCII letter.
const runPattern = /[\u0020-\u007f]?[\u0080-\uffff]+/g;
// A character with its combining marks, or a decomposed Korean syllable.
const clusterPattern = /[\u1100-\u115f][\u1160-\u11a7]+[\u11a8-\u11ff]*|.\p{M}*/gsu;

const known = new Map<string, string>();
const maxKnown = 4_096;
const maxKnownLength = 16;

function fold(run: string): string {
  let folded = known.get(run);
  if (folded !== undefined) return folded;
  folded = run;
  for (const [alike, plain] of lookAlikes) folded = folded.replace(alike, plain);
  folded = folded.normalize("NFKC");
  // The same few runs repeat often.
  if (run.length <= maxKnownLength && known.size < maxKnown) known.set(run, folded);
  return folded;
}

function locate(runs: readonly Run[], offset: number, edge: "start" | "end"): number | undefined {
  let at = countBefore(runs, offset);
  // If two runs meet here, this is the end of the first.
  if (edge === "end" && runs[at - 1]?.start === offset && runs[at - 2]?.end === offset) at--;
  const run = runs[at - 1];
  if (run === undefined) return offset;
  if (offset > run.end || (offset === run.end && edge === "start")) {
    return run.original + run.text.length + offset - run.end;
  }
  return locateInside(run, offset - run.start, edge);
}

/** Counts the runs that begin at an offset or before it. */
function countBefore(runs: readonly Run[], offset: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as Run).start <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function locateInside(run: Run, offset: number, edge: "start" | "end"): number | undefined {
  let found: number | undefined;
  let length = 0;
  let at = run.original;
  for (const [cluster] of run.text.matchAll(clusterPattern)) {
    if (length === offset && (found === undefined || edge === "start")) found = at;
    length += fold(cluster).length;
    at += cluster.length;
  }
  if (length === offset && (found === undefined || edge === "start")) found = at;
  return found;
}
