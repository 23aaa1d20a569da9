import { findBlankEdges, trimBlankEdges } from "./blank-edges.ts";
import { escapeRepairs } from "./escapes.ts";
import type { FileText } from "./file-text.ts";
import { foldUnicode } from "./fold-unicode.ts";
import type { LineRule, Place } from "./line-rule.ts";
import { matchInside, matchLines } from "./match-lines.ts";
import { findShift, indentationOf } from "./shift-indentation.ts";

/** How the place of an edit was found. */
export type EditStrategy =
  | "exact"
  | "line-endings"
  | "trailing-space"
  | "unicode"
  | "indentation"
  | "escaping"
  | "blank-edges";

/** What to look for, and what to put there. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** A place for the new text, which is as the rung says; its line endings are not yet the file's. */
export interface FoundPlace extends Place {
  readonly newText: string;
}

/** What a rung found. */
export interface Finding {
  readonly strategy: EditStrategy;
  readonly places: readonly FoundPlace[];
}

/**
 * The places of the first rung that has any. Each rung takes two texts for the same if they differ
 * in what it ignores and in nothing else; none compares for similarity.
 *
 * | rung           | ignores                                      | of the new text              |
 * |----------------|----------------------------------------------|------------------------------|
 * | exact          | nothing                                      |                              |
 * | line-endings   | which line ending a line has                 |                              |
 * | trailing-space | also space at the end of lines               |                              |
 * | unicode        | also which of characters that look alike     |                              |
 * | indentation    | endings, trailing space, one shift of all    | is shifted the same way      |
 * | escaping       | endings, one kind of escaping too much       | is unescaped the same way    |
 * |                | or too little                                |                              |
 * | blank-edges    | endings, trailing space, blank lines around  | loses them as well           |
 *
 * Space at the end of the old text, and blank lines around it, say that a line ends there: then the
 * place must end with a line too.
 */
export function climbLadder(file: FileText, replacement: Replacement): Finding | undefined {
  const { oldText, newText } = replacement;
  const exact = matchInside(file.text, oldText);
  if (exact.length > 0) {
    return { strategy: "exact", places: withText(newText, exact) };
  }
  const toLines = (text: string): string[] => file.toPlain(text).split("\n");
  const longest = findLongest(toLines(oldText).map((line) => line.trim()));
  let hasLongest: boolean | undefined;
  const search: Search = {
    ...replacement,
    file,
    text: file.toLined(),
    toLines,
    hasLongestLine: () => {
      hasLongest ??= file.text.includes(longest);
      return hasLongest;
    },
  };
  for (const [strategy, find] of rungs) {
    const places = find(search);
    if (places.length > 0) return { strategy, places };
  }
  return undefined;
}

interface Search extends Replacement {
  readonly file: FileText;
  /** The file's text, its lines ending with `\n` or `\r\n`. */
  readonly text: string;
  toLines(text: string): readonly string[];
  /** The file has the longest line of the old text, as far as it is no space. */
  hasLongestLine(): boolean;
}

type Rung = (search: Search) => FoundPlace[];

const rungs: readonly (readonly [EditStrategy, Rung])[] = [
  ["line-endings", findByLineEndings],
  ["trailing-space", ifLongestLineIsThere(findByTrailingSpace)],
  ["unicode", unlessBlank(findByUnicode)],
  ["indentation", ifLongestLineIsThere(findByIndentation)],
  ["escaping", unlessBlank(findByEscaping)],
  ["blank-edges", ifLongestLineIsThere(findByBlankEdges)],
];

/** Nothing but space is not the same as any other space: it would fit everywhere. */
function unlessBlank(find: Rung): Rung {
  return (search) => (search.oldText.trim() === "" ? [] : find(search));
}

/** A rung that ignores nothing but space around lines needs no closer look if one is missing. */
function ifLongestLineIsThere(find: Rung): Rung {
  return unlessBlank((search) => (search.hasLongestLine() ? find(search) : []));
}

const sameLine: LineRule = { fold: (line) => line, isFirstWhole: false, isLastWhole: false };

function findByLineEndings({ file, text, oldText, newText, toLines }: Search): FoundPlace[] {
  const lines = toLines(oldText);
  const isMixed = file.hasReturns || oldText.includes("\r");
  if (lines.length === 1 || !isMixed) return [];
  return withText(newText, matchLines(text, lines, sameLine));
}

function findByTrailingSpace({ text, oldText, newText, toLines }: Search): FoundPlace[] {
  return withText(newText, matchTrimmed(text, toLines(oldText)));
}

function findByUnicode({ file, text, oldText, newText, toLines }: Search): FoundPlace[] {
  const wanted = foldUnicode(oldText).text;
  if (file.isAscii && wanted === oldText) return [];
  if (wanted.trim() === "") return [];
  const folded = foldUnicode(text);
  const lines = toLines(wanted);
  const isInside = lines.length === 1 && !endsWithSpace(wanted);
  const places = isInside ? matchInside(folded.text, wanted) : matchTrimmed(folded.text, lines);
  return places.flatMap((place) => {
    const start = folded.toOriginal(place.start, "start");
    const end = folded.toOriginal(place.end, "end");
    return start === undefined || end === undefined ? [] : [{ start, end, newText }];
  });
}

function findByIndentation({ text, oldText, newText, toLines }: Search): FoundPlace[] {
  const lines = toLines(oldText);
  const rule = { fold: (line: string) => line.trim(), isFirstWhole: true, isLastWhole: true };
  const places = matchLines(text, lines, rule);
  // So many can only be if they overlap; then none is taken, and looking closer is in vain.
  if (places.length * lines.length > text.length + mostLines) return withText(newText, places);
  return places.flatMap((place) => {
    const found = toLines(text.slice(place.start, place.end));
    const shift = findShift(indentations(lines), indentations(found));
    if (shift === undefined) return [];
    const shifted = toLines(newText).map((line) => {
      if (line.trim() === "") return line;
      const indentation = indentationOf(line);
      return shift(indentation) + line.slice(indentation.length);
    });
    return [{ ...place, newText: shifted.join("\n") }];
  });
}

// Several repairs may lead to one place, and the first of them says what becomes of the new text.
// Where they lead to different places, none of them is the one that is meant.
function findByEscaping({ text, oldText, newText, toLines }: Search): FoundPlace[] {
  const found = new Map<string, FoundPlace>();
  for (const repair of escapeRepairs) {
    const repaired = repair(oldText);
    if (repaired === oldText || repaired.trim() === "" || !repaired.isWellFormed()) continue;
    for (const place of matchLines(text, toLines(repaired), sameLine)) {
      const key = `${place.start} ${place.end}`;
      if (!found.has(key)) found.set(key, { ...place, newText: repair(newText) });
    }
  }
  return [...found.values()].sort((one, other) => one.start - other.start);
}

function findByBlankEdges({ text, oldText, newText, toLines }: Search): FoundPlace[] {
  const lines = toLines(oldText);
  const edges = findBlankEdges(lines);
  if (edges === undefined || edges.before + edges.after === 0) return [];
  const rule: LineRule = {
    fold: trimEnd,
    isFirstWhole: edges.before > 0,
    isLastWhole: edges.after > 0 || endsWithSpace(oldText),
  };
  const places = matchLines(text, trimBlankEdges(lines, edges), rule);
  return withText(trimBlankEdges(toLines(newText), edges).join("\n"), places);
}

function matchTrimmed(text: string, lines: readonly string[]): Place[] {
  const isLastWhole = endsWithSpace(lines.at(-1) as string);
  if (lines.length === 1 && !isLastWhole) return [];
  return matchLines(text, lines, { fold: trimEnd, isFirstWhole: false, isLastWhole });
}

function withText(newText: string, places: readonly Place[]): FoundPlace[] {
  return places.map(({ start, end }) => ({ start, end, newText }));
}

function indentations(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== "").map(indentationOf);
}

function findLongest(lines: readonly string[]): string {
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest));
}

const mostLines = 10_000;
const trimEnd = (line: string): string => line.trimEnd();
const endsWithSpace = (text: string): boolean => text !== text.trimEnd();
