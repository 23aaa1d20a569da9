import { diffLines } from "@haft/contract/internal";
import type { MatchedLines } from "./transplant.ts";

/** Converts the indentation of a line to that of the file. */
export type IndentationShift = (indentation: string) => string;

/**
 * Finds how the indentation of some lines became that of others, if it is the same for all lines:
 * another prefix, a tab for a number of spaces, or the reverse.
 */
export function findShift(
  from: readonly string[],
  to: readonly string[],
): IndentationShift | undefined {
  return findCommonShift(from, to) ?? findUnitShift(from, to);
}

/** Returns the leading space of a line. */
export function indentationOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/**
 * Returns whose indentation the new lines have: that of the old lines, or that of the file already. The
 * first line and the lines that the call kept tell. `undefined` if they don't, or contradict each other.
 */
export function findFrame({ file, old, now }: MatchedLines): "call" | "file" | undefined {
  const isFilled = (line: string): boolean => line.trim() !== "";
  const [first, firstNow] = [old.findIndex(isFilled), now.findIndex(isFilled)];
  if (firstNow === -1) return "call";
  let [isInCall, isInFile] = [false, false];
  for (const [from, to] of [[first, firstNow] as const, ...findKept(old, now)]) {
    const [own, was, is] = [file[from], old[from], now[to]].map((line) =>
      indentationOf(line as string),
    );
    isInCall ||= is === was && is !== own;
    isInFile ||= is === own && is !== was;
  }
  if (isInCall === isInFile) return undefined;
  return isInCall ? "call" : "file";
}

/** Returns the indexes of the lines, old and new, whose content the call kept. */
function findKept(old: readonly string[], now: readonly string[]): [number, number][] {
  const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trim());
  const kept: [number, number][] = [];
  let [from, to] = [0, 0];
  for (const { isSame, before, after } of diffLines(trimmed(old), trimmed(now))) {
    for (const [index, line] of isSame ? before.entries() : []) {
      if (line !== "") kept.push([from + index, to + index]);
    }
    from += before.length;
    to += after.length;
  }
  return kept;
}

function findCommonShift(
  from: readonly string[],
  to: readonly string[],
): IndentationShift | undefined {
  let [before, after] = [commonStart(from), commonStart(to)];
  const isSame = from.every(
    (each, at) => each.slice(before.length) === (to[at] as string).slice(after.length),
  );
  if (!isSame) return undefined;
  const convert = findConversion(before, after);
  // A common end is not part of the difference.
  while (before !== "" && before.at(-1) === after.at(-1)) {
    before = before.slice(0, -1);
    after = after.slice(0, -1);
  }
  return (indentation) => {
    if (indentation.startsWith(before)) {
      return after + convert(indentation.slice(before.length));
    }
    // Less than the prefix: take a proportional part of the replacement.
    return after.slice(0, Math.floor((after.length * indentation.length) / before.length));
  };
}

/** Deeper lines follow the style of the file if a number of spaces clearly was a tab. */
function findConversion(before: string, after: string): IndentationShift {
  if (isAll(before, " ") && isAll(after, "\t") && before.length % after.length === 0) {
    const unit = before.length / after.length;
    return (rest) =>
      isAll(rest, " ")
        ? "\t".repeat(Math.floor(rest.length / unit)) + " ".repeat(rest.length % unit)
        : rest;
  }
  if (isAll(before, "\t") && isAll(after, " ") && after.length % before.length === 0) {
    const unit = after.length / before.length;
    return (rest) => (isAll(rest, "\t") ? " ".repeat(unit * rest.length) : rest);
  }
  return (rest) => rest;
}

function findUnitShift(
  from: readonly string[],
  to: readonly string[],
): IndentationShift | undefined {
  if (from.every(isSpaces) && to.every(isTabs)) {
    const line = findLine(to, from);
    if (line === undefined) return undefined;
    return (indentation) => {
      if (!isSpaces(indentation)) return indentation;
      const spaces = Math.max(0, indentation.length - line.offset);
      return "\t".repeat(Math.floor(spaces / line.unit)) + " ".repeat(spaces % line.unit);
    };
  }
  if (from.every(isTabs) && to.every(isSpaces)) {
    const line = findLine(from, to);
    if (line === undefined) return undefined;
    return (indentation) => {
      if (!isTabs(indentation)) return indentation;
      return " ".repeat(Math.max(0, indentation.length * line.unit + line.offset));
    };
  }
  return undefined;
}

/** Finds the unit and offset for which all spaces are `tabs * unit + offset`. */
function findLine(
  tabs: readonly string[],
  spaces: readonly string[],
): { unit: number; offset: number } | undefined {
  const [tabs0, spaces0] = [tabs[0]?.length ?? 0, spaces[0]?.length ?? 0];
  const other = tabs.findIndex((each) => each.length !== tabs0);
  if (other === -1) return undefined;
  const tabs1 = tabs[other]?.length ?? 0;
  const unit = ((spaces[other]?.length ?? 0) - spaces0) / (tabs1 - tabs0);
  const offset = spaces0 - unit * tabs0;
  const fits = tabs.every((each, at) => spaces[at]?.length === each.length * unit + offset);
  return fits && unit >= 1 && Number.isInteger(unit) && offset % unit === 0
    ? { unit, offset }
    : undefined;
}

function commonStart(texts: readonly string[]): string {
  let common = texts[0] ?? "";
  for (const text of texts) {
    while (!text.startsWith(common)) common = common.slice(0, -1);
  }
  return common;
}

function isAll(text: string, character: string): boolean {
  return text !== "" && text === character.repeat(text.length);
}

const isSpaces = (text: string): boolean => text === "" || isAll(text, " ");
const isTabs = (text: string): boolean => text === "" || isAll(text, "\t");
