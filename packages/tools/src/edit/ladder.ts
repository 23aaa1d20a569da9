import { contentEnd, lineEnd, lineNumber, lineStart } from "@haft/contract/internal";
import { removeFence } from "./code-fence.ts";
import { escapeRepairs } from "./escapes.ts";
import type { FileText } from "./file-text.ts";
import { foldUnicode } from "./fold-unicode.ts";
import { removeLineNumbers, removeSameNumbers } from "./line-numbers.ts";
import type { LineRule, TextRange } from "./line-rule.ts";
import { matchFormatting } from "./match-formatting.ts";
import { matchInside, matchLines } from "./match-lines.ts";
import { matchSpacing } from "./match-spacing.ts";
import { findRarest, type RareToken } from "./scan-tokens.ts";
import { findFrame, findShift, indentationOf } from "./shift-indentation.ts";
import { type MatchedLines, transplant } from "./transplant.ts";

/** How the text to replace was matched. */
export type EditStrategy =
  | "exact"
  | "line-endings"
  | "trailing-space"
  | "unicode"
  | "indentation"
  | "escaping"
  | "blank-edges"
  | "spacing"
  | "line-numbers"
  | "code-fence"
  | "formatting";

/** The text to find and its replacement. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** A match and its new text, adapted by the rung, but without the line endings of the file. */
export interface FoundMatch extends TextRange {
  readonly newText: string;
}

/** The matches of a rung. */
export interface Finding {
  readonly strategy: EditStrategy;
  readonly places: readonly FoundMatch[];
}

/**
 * Returns the matches of the first rung that has any. A rung treats two texts as equal if they differ
 * only in what it ignores. No rung compares by similarity. A rung tells where the edit belongs; the
 * edit itself is the difference between the old and the new text, and everything else at the match
 * stays as the file has it.
 *
 * | rung           | ignores                                      | of the new text              |
 * |----------------|----------------------------------------------|------------------------------|
 * | exact          | nothing                                      |                              |
 * | line-endings   | which line ending a line has                 |                              |
 * | trailing-space | also space at the end of lines               |                              |
 * | unicode        | also which of several look-alike characters  |                              |
 * | indentation    | endings, trailing space, one shift of all    | is shifted if the old was    |
 * | escaping       | endings, one kind of escaping too much       | is repaired if it is escaped |
 * |                | or too little                                | the same way                 |
 * | blank-edges    | endings, trailing space, blank lines around  | loses them as well           |
 * | spacing        | endings, space between words and signs       |                              |
 * | line-numbers   | endings, trailing space, numbers before lines| loses them as well           |
 * | code-fence     | endings, trailing space, a fence around      | loses it as well             |
 * | formatting     | in kept lines space, blank lines, line       |                              |
 * |                | breaks, kind of quotes, commas, semicolons   |                              |
 *
 * Trailing space of the old text, and blank lines around it, mean that a line ends there: then the
 * match must end with a line, too.
 */
export function climbLadder(file: FileText, replacement: Replacement): Finding | undefined {
  const { oldText, newText } = replacement;
  const exact = matchInside(file.text, oldText);
  if (exact.length > 0) {
    return { strategy: "exact", places: withText(newText, exact) };
  }
  const toLines = (text: string): string[] => file.toPlain(text).split("\n");
  const longestLine = findLongest(toLines(oldText).map((line) => line.trim()));
  let hasLongest: boolean | undefined;
  let rarest: RareToken | "not known" | undefined = "not known";
  const search: Search = {
    ...replacement,
    file,
    text: file.toLined(),
    toLines,
    hasLongestLine: () => {
      hasLongest ??= longestLine !== oldText && file.text.includes(longestLine);
      return hasLongest;
    },
    rarest: () => {
      if (rarest === "not known") rarest = findRarest(file.text, oldText);
      return rarest;
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
  /** The file contains the longest line of the old text, without surrounding space. */
  hasLongestLine(): boolean;
  /** A word or sign of the old text that the file does not have, or seldom. */
  rarest(): RareToken | undefined;
}

type Rung = (search: Search) => FoundMatch[];

const rungs: readonly (readonly [EditStrategy, Rung])[] = [
  ["line-endings", findByLineEndings],
  ["trailing-space", ifLongestLineIsThere(findByTrailingSpace)],
  ["unicode", unlessBlank(findByUnicode)],
  ["indentation", ifLongestLineIsThere(findByIndentation)],
  ["escaping", unlessBlank(findByEscaping)],
  ["blank-edges", ifLongestLineIsThere(findByBlankEdges)],
  ["spacing", ifWordsAreThere(matchSpacing)],
  ["line-numbers", unlessBlank(findByLineNumbers)],
  ["code-fence", unlessBlank(findByCodeFence)],
  ["formatting", ifWordsAreThere(matchFormatting)],
];

/** Skips a blank text, which would match everywhere. */
function unlessBlank(find: Rung): Rung {
  return (search) => (search.oldText.trim() === "" ? [] : find(search));
}

/** Skips a rung that ignores only space around lines if the longest line is missing. */
function ifLongestLineIsThere(find: Rung): Rung {
  return unlessBlank((search) => (search.hasLongestLine() ? find(search) : []));
}

/** Skips a rung that compares words and signs if one of them is missing. */
function ifWordsAreThere(
  match: (
    text: string,
    call: Pick<MatchedLines, "old" | "now"> & { readonly rarest: RareToken },
  ) => FoundMatch[],
): Rung {
  return unlessBlank(({ text, oldText, newText, toLines, ...search }) => {
    const rarest = search.rarest();
    if (rarest === undefined || rarest.first === -1) return [];
    return match(text, { old: toLines(oldText), now: toLines(newText), rarest });
  });
}

const sameLine: LineRule = { fold: (line) => line, isFirstWhole: false, isLastWhole: false };

function findByLineEndings({ file, text, oldText, newText, toLines }: Search): FoundMatch[] {
  const lines = toLines(oldText);
  const isMixed = file.hasReturns || oldText.includes("\r");
  if (lines.length === 1 || !isMixed) return [];
  return withText(newText, matchLines(text, lines, sameLine));
}

function findByTrailingSpace({ text, oldText, newText, toLines }: Search): FoundMatch[] {
  const [old, now] = [toLines(oldText), toLines(newText)];
  return matchTrimmed(text, old).map((place) => adapt(place, text, { old, now }));
}

/** Returns a match with the call's difference made in its own lines. */
function adapt(
  place: TextRange,
  text: string,
  call: Pick<MatchedLines, "old" | "now" | "shift">,
): FoundMatch {
  const { start, end } = widen(place, text, call.old);
  const file = text.slice(start, end).replaceAll("\r\n", "\n").split("\n");
  return { start, end, newText: transplant({ ...call, file }).join("\n") };
}

/** Includes the space around a match that ends with a line, or begins with a blank one. */
function widen({ start, end }: TextRange, text: string, old: readonly string[]): TextRange {
  const first = lineStart(text, start);
  const isBlank = old[0]?.trim() === "" && text.slice(first, start).trim() === "";
  const rest = contentEnd(text, end, lineEnd(text, end));
  const isWhole = text.slice(end, rest).trim() === "";
  return { start: isBlank ? first : start, end: isWhole ? rest : end };
}

function findByUnicode({ file, text, oldText, newText, toLines }: Search): FoundMatch[] {
  const wanted = foldUnicode(oldText).text;
  if (file.isAscii && wanted === oldText) return [];
  if (wanted.trim() === "") return [];
  const folded = foldUnicode(text);
  const lines = toLines(wanted);
  const isInside = lines.length === 1 && !endsWithSpace(wanted);
  const places = isInside ? matchInside(folded.text, wanted) : matchTrimmed(folded.text, lines);
  const call = { old: toLines(oldText), now: toLines(newText) };
  return places.flatMap((place) => {
    const start = folded.toOriginal(place.start, "start");
    const end = folded.toOriginal(place.end, "end");
    if (start === undefined || end === undefined) return [];
    return [adapt({ start, end }, text, call)];
  });
}

function findByIndentation({ text, oldText, newText, toLines }: Search): FoundMatch[] {
  const [old, now] = [toLines(oldText), toLines(newText)];
  const rule = { fold: (line: string) => line.trim(), isFirstWhole: true, isLastWhole: true };
  const places = matchLines(text, old, rule);
  // So many matches must overlap; then none is used, and comparing them is useless.
  if (places.length * old.length > text.length + maxLines) return withText(newText, places);
  return places.flatMap((place) => {
    const found = toLines(text.slice(place.start, place.end));
    const shift = findShift(indentations(old), indentations(found));
    if (shift === undefined) return [];
    const frame = findFrame({ file: found, old, now });
    if (frame === undefined) return [];
    if (frame === "call") return [adapt(place, text, { old, now, shift })];
    const asInFile = old.map((line, at) => indentationOf(found[at] as string) + line.trimStart());
    return [adapt(place, text, { old: asInFile, now })];
  });
}

// Several repairs may lead to one match. If they lead to different matches, or to one match with
// different new texts, the edit is ambiguous.
function findByEscaping({ text, oldText, newText, toLines }: Search): FoundMatch[] {
  const found = new Map<string, FoundMatch>();
  for (const repair of escapeRepairs) {
    const repaired = repair.apply(oldText);
    if (repaired === oldText || repaired.trim() === "" || !repaired.isWellFormed()) continue;
    const fitting = repair.applyLike(oldText, newText);
    const literal = toLines(newText).filter((line) => !toLines(fitting).includes(line));
    for (const place of matchLines(text, toLines(repaired), sameLine)) {
      // It may also be meant as it stands: the file has such a line.
      const lines = toLines(text.slice(place.start, place.end));
      if (literal.some((line) => lines.includes(line))) continue;
      found.set(`${place.start} ${place.end} ${fitting}`, { ...place, newText: fitting });
    }
  }
  return [...found.values()].sort((one, other) => one.start - other.start);
}

function findByBlankEdges({ text, oldText, newText, toLines }: Search): FoundMatch[] {
  const lines = toLines(oldText);
  const edges = findBlankEdges(lines);
  if (edges === undefined || edges.before + edges.after === 0) return [];
  const rule: LineRule = {
    fold: trimEnd,
    isFirstWhole: edges.before > 0,
    isLastWhole: edges.after > 0 || endsWithSpace(oldText),
  };
  const call = {
    old: trimBlankEdges(lines, edges),
    now: trimBlankEdges(toLines(newText), edges),
  };
  return matchLines(text, call.old, rule).map((place) => adapt(place, text, call));
}

const trimEnd = (line: string): string => line.trimEnd();
const wholeLines: LineRule = { fold: trimEnd, isFirstWhole: true, isLastWhole: true };

function findByLineNumbers({ text, oldText, newText, toLines }: Search): FoundMatch[] {
  const old = removeLineNumbers(toLines(oldText));
  if (old === undefined || old.lines.every((line) => line.trim() === "")) return [];
  const now = newText === "" ? [""] : removeSameNumbers(toLines(newText), old.form);
  if (now === undefined) return [];
  const places = matchLines(text, old.lines, wholeLines);
  // One line alone may begin with a number of its own; then the number is not that of the line.
  const isSure = (place: TextRange): boolean =>
    old.lines.length > 1 || lineNumber(text, place.start) === old.first;
  return places.filter(isSure).map((place) => adapt(place, text, { old: old.lines, now }));
}

function findByCodeFence({ text, oldText, newText, toLines }: Search): FoundMatch[] {
  const old = removeFence(toLines(oldText));
  if (old === undefined || old.every((line) => line.trim() === "")) return [];
  const now = removeFence(toLines(newText)) ?? toLines(newText);
  return matchLines(text, old, wholeLines).map((place) => adapt(place, text, { old, now }));
}

function matchTrimmed(text: string, lines: readonly string[]): TextRange[] {
  const isLastWhole = endsWithSpace(lines.at(-1) as string);
  if (lines.length === 1 && !isLastWhole) return [];
  return matchLines(text, lines, { fold: trimEnd, isFirstWhole: false, isLastWhole });
}

function withText(newText: string, places: readonly TextRange[]): FoundMatch[] {
  return places.map(({ start, end }) => ({ start, end, newText }));
}

function indentations(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== "").map(indentationOf);
}

function findLongest(lines: readonly string[]): string {
  return lines.reduce((longestLine, line) =>
    line.length > longestLine.length ? line : longestLine,
  );
}

const maxLines = 10_000;
const endsWithSpace = (text: string): boolean => text !== text.trimEnd();

/** How many blank lines a text begins and ends with. A line break at the end counts as one. */
export interface BlankEdges {
  readonly before: number;
  readonly after: number;
}

/** Counts the blank lines at the edges of a text; `undefined` if it has no others. */
export function findBlankEdges(lines: readonly string[]): BlankEdges | undefined {
  const before = lines.findIndex((line) => line.trim() !== "");
  if (before === -1) return undefined;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return { before, after: lines.length - 1 - last };
}

/** Removes up to as many blank lines from the edges as `edges` has. */
export function trimBlankEdges(lines: readonly string[], edges: BlankEdges): readonly string[] {
  const own = findBlankEdges(lines);
  // There are only blank lines.
  if (own === undefined) return lines.slice(Math.min(lines.length, edges.before + edges.after));
  const before = Math.min(own.before, edges.before);
  return lines.slice(before, lines.length - Math.min(own.after, edges.after));
}
