import { contentEnd, lineEnd, lineStart } from "../text/lines.ts";
import type { LineRule, Place, WantedLines } from "./line-rule.ts";
import { matchRepeated } from "./match-repeated.ts";

/**
 * Every place where these lines follow each other, overlapping ones too. Whichever line ending the
 * text has, it is no part of a line; an empty last line stands for the line break before it.
 */
export function matchLines(text: string, lines: readonly string[], rule: LineRule): Place[] {
  const folded = lines.map((line) => rule.fold(line));
  if (lines.length === 1 && !rule.isFirstWhole && !rule.isLastWhole) {
    return matchInside(text, folded[0] as string);
  }
  const wanted = { rule, folded, endsWithBreak: lines.length > 1 && lines.at(-1) === "" };
  // Lines are only looked at where the longest one is: most are never cut out of the text.
  const anchor = findLongest(folded);
  const needle = folded[anchor] as string;
  const places: Place[] = [];
  for (let at = text.indexOf(needle), visited = 0; at !== -1; visited++) {
    const isHard = lines.length > 2 && visited * lines.length > mostComparisons;
    if (isHard) return matchRepeated(text, wanted);
    const first = goBack(text, lineStart(text, at), anchor);
    const place = first === undefined ? undefined : matchFrom(text, first, wanted);
    if (place !== undefined) places.push(place);
    // A line can be the longest one of one place only.
    const next = lineEnd(text, at);
    if (next === at || (next === text.length && !text.endsWith("\n"))) break;
    at = text.indexOf(needle, next);
  }
  return places;
}

/** Every place that has this text, overlapping ones too. */
export function matchInside(text: string, wanted: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    places.push({ start: at, end: at + wanted.length });
  }
  return places;
}

// Few texts repeat their long lines so often, and they repeat all of them.
const mostComparisons = 100_000;

function findLongest(lines: readonly string[]): number {
  let longest = 0;
  for (const [at, line] of lines.entries()) {
    if (line.length > (lines[longest] as string).length) longest = at;
  }
  return longest;
}

/** The start of the line so many lines before another. */
function goBack(text: string, start: number, lines: number): number | undefined {
  let at = start;
  for (let back = 0; back < lines; back++) {
    if (at === 0) return undefined;
    at = lineStart(text, at - 1);
  }
  return at;
}

function matchFrom(text: string, first: number, wanted: WantedLines): Place | undefined {
  const { folded, rule, endsWithBreak } = wanted;
  const last = folded.length - 1;
  let start = first;
  for (let index = 0, at = first; ; index++) {
    if (index === last && endsWithBreak) return { start, end: at };
    const line = folded[index] as string;
    const end = lineEnd(text, at);
    const stop = contentEnd(text, at, end);
    const content = rule.fold(text.slice(at, stop));
    const isOpenBefore = index === 0 && !rule.isFirstWhole;
    const isOpenAfter = index === last && !rule.isLastWhole;
    if (isOpenBefore ? !content.endsWith(line) : !content.startsWith(line)) return undefined;
    if (!isOpenBefore && !isOpenAfter && content !== line) return undefined;
    if (isOpenBefore) start = line === "" ? stop : at + content.length - line.length;
    if (index === last) return { start, end: isOpenAfter ? at + line.length : stop };
    // The text ends, and lines are still wanted.
    if (stop === end) return undefined;
    at = end;
  }
}
