import { diffLines } from "@haft/contract/internal";
import { type FoldedText, foldUnicode } from "./fold-unicode.ts";

/** The lines of a match, and those of the call that were matched with them. */
export interface MatchedLines {
  readonly file: readonly string[];
  /** As many as `file`. */
  readonly old: readonly string[];
  readonly now: readonly string[];
  /** Converts indentation of the call that the file does not have. Default: none is converted. */
  shift?(indentation: string): string;
}

/**
 * Makes the difference between the old and the new lines of a call in the matched lines of the file.
 * Indentation, characters and trailing space that the call did not change stay as the file has them.
 */
export function transplant({ file, old, now, shift = asIs }: MatchedLines): string[] {
  const [files, olds, nows] = [file, old, now].map((lines) => lines.map(splitLine)) as [
    LineParts[],
    LineParts[],
    LineParts[],
  ];
  const origins = findOrigins(olds, nows);
  const toPlain = findPlain(files, olds);
  return nows.map((line, at) => {
    const origin = origins[at];
    const [from, own] = [olds[origin ?? -1], files[origin ?? -1]];
    if (
      from === undefined ||
      own === undefined ||
      (from.content === "") !== (line.content === "")
    ) {
      return shift(line.indentation) + toPlain(line.content) + line.end;
    }
    const contents = { file: own.content, old: from.content, now: line.content, toPlain };
    return [
      line.indentation === from.indentation ? own.indentation : shift(line.indentation),
      line.content === from.content ? own.content : transplantContent(contents),
      line.end === from.end ? own.end : line.end,
    ].join("");
  });
}

const asIs = (text: string): string => text;

interface LineParts {
  readonly indentation: string;
  readonly content: string;
  /** Trailing space. */
  readonly end: string;
}

function splitLine(line: string): LineParts {
  const content = line.trim();
  if (content === "") return { indentation: "", content, end: line };
  const start = line.indexOf(content);
  return {
    indentation: line.slice(0, start),
    content,
    end: line.slice(start + content.length),
  };
}

/** Returns for each new line the index of the old line that it continues, if there is one. */
function findOrigins(
  olds: readonly LineParts[],
  nows: readonly LineParts[],
): readonly (number | undefined)[] {
  const contents = (lines: readonly LineParts[]): string[] =>
    lines.map(({ content, end }) => (content === "" ? end : toFolded(content)));
  const origins: (number | undefined)[] = [];
  let first = 0;
  for (const { before, after } of diffLines(contents(olds), contents(nows))) {
    let next = 0;
    for (const [index, line] of after.entries()) {
      const isPaired = before.length === after.length;
      const found = isPaired ? index : findSimilar(line, before, next);
      origins.push(found === undefined ? undefined : first + found);
      if (found !== undefined) next = found + 1;
    }
    first += before.length;
  }
  // Blank lines are all alike, so their position counts if no line came or went.
  const isBlank = (lines: readonly LineParts[], at: number): boolean => lines[at]?.content === "";
  if (olds.length !== nows.length) return origins;
  return origins.map((origin, at) => (isBlank(olds, at) && isBlank(nows, at) ? at : origin));
}

function findSimilar(line: string, others: readonly string[], from: number): number | undefined {
  const found = others.findIndex((other, at) => at >= from && isSimilar(line, other));
  return found === -1 ? undefined : found;
}

/** Whether two lines share more than half of their words and signs. */
function isSimilar(one: string, other: string): boolean {
  const [ones, others] = [splitTokens(one), splitTokens(other)];
  const shared = diffLines(ones, others)
    .filter(({ isSame }) => isSame)
    .reduce((sum, { before }) => sum + before.length, 0);
  return 2 * shared > Math.max(ones.length, others.length);
}

interface Contents {
  readonly file: string;
  readonly old: string;
  readonly now: string;
  toPlain(text: string): string;
}

/**
 * The new content of a line, with the file's own characters wherever the call kept its own. A call that
 * has the file's characters in the new text already is taken as it stands.
 */
function transplantContent({ file, old, now, toPlain }: Contents): string {
  const [own, was, is] = [file, old, now].map(foldUnicode) as [FoldedText, FoldedText, FoldedText];
  const [olds, nows] = [splitTokens(was.text), splitTokens(is.text)];
  const parts: { readonly is: string; readonly own: string | undefined }[] = [];
  let isLiteral = true;
  let [from, to] = [0, 0];
  for (const { isSame, before, after } of diffLines(olds, nows)) {
    const [range, newRange] = [
      [from, from + before.join("").length],
      [to, to + after.join("").length],
    ] as const;
    [from, to] = [range[1], newRange[1]];
    const given = sliceFolded(is, now, newRange);
    if (given === undefined) return now;
    // Space between changed words is the same space only if no word came or went.
    const isKept = isSame && (olds.length === nows.length || given.trim() !== "");
    const kept = isKept ? sliceFolded(own, file, range) : undefined;
    isLiteral &&= kept === undefined || kept === given;
    parts.push({ is: given, own: sliceFolded(was, old, range) === given ? kept : undefined });
  }
  if (isLiteral && old !== file) return now;
  return parts.map((part) => part.own ?? toPlain(part.is)).join("");
}

function toFolded(token: string): string {
  return foldUnicode(token).text;
}

// ASCII words, and every other character with its accents, because they are folded together.
function splitTokens(text: string): string[] {
  return text.match(/(?:\w(?!\p{M}))+|\s+|.\p{M}*/gsu) ?? [];
}

function foldedRange(text: string, start: number, end: number): readonly [number, number] {
  const from = foldUnicode(text.slice(0, start)).text.length;
  return [from, from + foldUnicode(text.slice(start, end)).text.length];
}

/** The part of a text that has this range when folded; `undefined` if it splits a character. */
function sliceFolded(
  folded: FoldedText,
  text: string,
  [from, to]: readonly [number, number],
): string | undefined {
  const [start, end] = [folded.toOriginal(from, "start"), folded.toOriginal(to, "end")];
  return start === undefined || end === undefined ? undefined : text.slice(start, end);
}

/**
 * Returns how to write text that the call adds. Where the call has a look-alike of an ASCII character
 * of the file, every time, it means that character.
 */
function findPlain(
  files: readonly LineParts[],
  olds: readonly LineParts[],
): (text: string) => string {
  const meant = new Map<string, string | undefined>();
  for (const [at, { content: old }] of olds.entries()) {
    const file = (files[at] as LineParts).content;
    if (isAscii(old)) continue;
    const own = foldUnicode(file);
    for (const { 0: sign, index } of old.matchAll(/.\p{M}*/gsu)) {
      if (isAscii(sign) || !isAscii(foldUnicode(sign).text)) continue;
      const found = sliceFolded(own, file, foldedRange(old, index, index + sign.length));
      const isUnclear = found === undefined || (meant.has(sign) && meant.get(sign) !== found);
      meant.set(sign, isUnclear || !isAscii(found) ? undefined : found);
    }
  }
  return (text) =>
    meant.size === 0 ? text : text.replace(/.\p{M}*/gsu, (sign) => meant.get(sign) ?? sign);
}

function isAscii(text: string): boolean {
  return !/[^\0-\u007f]/u.test(text);
}
