import { contentEnd, lineEnd, lineStart } from "@haft/contract/internal";
import type { LineRule, TextRange, WantedLines } from "./line-rule.ts";
import { matchRepeated } from "./match-repeated.ts";

/**
 * Returns every range where these lines follow each other, overlapping ones included. Line endings
 * are not part of a line; an empty last line stands for the line break before it.
 */
export function matchLines(text: string, lines: readonly string[], rule: LineRule): TextRange[] {
  const folded = lines.map((line) => rule.fold(line));
  if (lines.length === 1 && !rule.isFirstWhole && !rule.isLastWhole) {
    return matchInside(text, folded[0] as string);
  }
  const wanted = { rule, folded, endsWithBreak: lines.length > 1 && lines.at(-1) === "" };
  // Only lines around the longest one are compared: most are never sliced out of the text.
  const anchor = findLongest(folded);
  const needle = folded[anchor] as string;
  const places: TextRange[] = [];
  for (let at = text.indexOf(needle), visited = 0; at !== -1; visited++) {
    const isHard = lines.length > 2 && visited * lines.length > maxComparisons;
    if (isHard) return matchRepeated(text, wanted);
    const first = goBack(text, lineStart(text, at), anchor);
    const place = first === undefined ? undefined : matchFrom(text, first, wanted);
    if (place !== undefined) places.push(place);
    // A line is the longest one of at most one match.
    const next = lineEnd(text, at);
    if (next === at || (next === text.length && !text.endsWith("\n"))) break;
    at = text.indexOf(needle, next);
  }
  return places;
}

/** Returns every occurrence of a text, overlapping ones included. */
export function matchInside(text: string, wanted: string): TextRange[] {
  const places: TextRange[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    places.push({ start: at, end: at + wanted.length });
  }
  return places;
}

// Texts that repeat their long lines this often repeat all of them.
const maxComparisons = 100_000;

function findLongest(lines: readonly string[]): number {
  let longestAt = 0;
  for (const [at, line] of lines.entries()) {
    if (line.length > (lines[longestAt] as string).length) longestAt = at;
  }
  return longestAt;
}

/** Returns the start of the line that is `lines` lines before another. */
function goBack(text: string, start: number, lines: number): number | undefined {
  let at = start;
  for (let back = 0; back < lines; back++) {
    if (at === 0) return undefined;
    at = lineStart(text, at - 1);
  }
  return at;
}

function matchFrom(text: string, first: number, wanted: WantedLines): TextRange | undefined {
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
    // The text ends before all lines were compared.
    if (stop === end) return undefined;
    at = end;
  }
}
