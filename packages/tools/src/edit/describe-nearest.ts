import { lineNumber } from "@haft/contract/internal";
import { compareMatch, type LinePair } from "./compare-match.ts";
import type { FileText } from "./file-text.ts";
import { findNearest, type NearMatch } from "./nearest-matches.ts";
import { findRarest, findTokens, scanTokens, spacing } from "./scan-tokens.ts";
import { indentationOf } from "./shift-indentation.ts";

/** Shows where a file is most similar to a missing text, line by line, and says what differs there. */
export function describeNearest(file: FileText, wanted: string, sent = "old_string"): string {
  const lines = file.toPlain(wanted).replace(/\n$/u, "").split("\n");
  const [nearest, ...others] = findNearest(file.toLined(), lines).map((place) => {
    const pairs = compareMatch(place, lines);
    return { pairs, range: toRange(pairs, place) };
  });
  if (nearest === undefined) return describeSpacing(file.toLined(), wanted);
  const { pairs, range } = nearest;
  const differing = pairs.filter(isDifferent);
  return [
    ` Nearest: ${range}; ${differing.length} of ${pairs.length} different${explain(differing, sent)}:`,
    ...showPairs(pairs, sent),
    ...(others.length === 0
      ? []
      : [`Also similar: ${others.map((other) => other.range).join(", ")}.`]),
    `Send ${sent === "old_string" ? "the lines of the file as old_string" : `${sent} with the lines of the file`}, without line numbers and marks.`,
  ].join("\n");
}

function toRange(pairs: readonly LinePair[], place: NearMatch): string {
  const lines = pairs.filter(({ is }) => is !== undefined).map(({ line }) => line);
  const [first, last] = [lines[0] ?? place.line + 1, lines.at(-1) ?? place.line + 1];
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

const isDifferent = ({ is, wanted }: LinePair): boolean => is !== wanted;

/** Finds a text without words, such as `f(1)`, where only the space in it differs. */
function describeSpacing(text: string, wanted: string): string {
  if (!/[\p{L}\p{N}_$]{3}/u.test(wanted)) {
    const tokens = findTokens(wanted, spacing).map(([token]) => token);
    const rarest = findRarest(text, wanted);
    const find = { tokens, rule: spacing, limit: 1 };
    const [place] = (rarest && scanTokens(text, { ...find, rarest })) ?? [];
    if (place !== undefined) {
      const [start, last] = [place[0] as number, place.at(-1) as number];
      const found = text.slice(start, last + (tokens.at(-1) as string).length);
      return ` Line ${lineNumber(text, start)} has ${showSpace(found)} instead (${spaceKey}). Send it as the file has it.`;
    }
  }
  return " Nothing in it is similar. Read the file and copy the text to replace from it.";
}

/** Says in words what differs, if that can be said of all lines. */
function explain(pairs: readonly LinePair[], sent: string): string {
  const changed = pairs.flatMap(({ is, wanted }) =>
    is === undefined || wanted === undefined ? [] : [{ is, wanted }],
  );
  const missing = pairs.filter(({ wanted }) => wanted === undefined).length;
  const extra = pairs.filter(({ is }) => is === undefined).length;
  const parts = [
    ...(changed.length > 0 && changed.every(differsInSpace) ? [explainSpace(changed, sent)] : []),
    ...(missing > 0
      ? [`${count(missing)} of the file ${missing === 1 ? "is" : "are"} not in ${sent}`]
      : []),
    ...(extra > 0
      ? [`${count(extra)} of ${sent} ${extra === 1 ? "is" : "are"} not in the file`]
      : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

type ChangedPair = Record<"is" | "wanted", string>;

function explainSpace(pairs: readonly ChangedPair[], sent: string): string {
  const has = (side: keyof ChangedPair, sign: string): boolean =>
    pairs.some((pair) => indentationOf(pair[side]).includes(sign));
  if (has("is", "\t") && has("wanted", " ") && !has("wanted", "\t"))
    return `the file has tabs where ${sent} has spaces`;
  if (has("wanted", "\t") && has("is", " ") && !has("is", "\t"))
    return `${sent} has tabs where the file has spaces`;
  return "only space differs";
}

function differsInSpace({ is, wanted }: ChangedPair): boolean {
  return is.replace(/\s+/gu, "") === wanted.replace(/\s+/gu, "");
}

function count(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

const maxPairs = 40;
const shownBeforeFirst = 10;

/** Shows the lines of the file with their numbers, and below each that differs what old_string has. */
function showPairs(pairs: readonly LinePair[], sent: string): string[] {
  const difference = pairs.findIndex(isDifferent);
  const start = pairs.length <= maxPairs ? 0 : Math.max(0, difference - shownBeforeFirst);
  const shown = pairs.slice(start, start + maxPairs);
  const more = pairs.length - shown.length;
  return [
    ...shown.flatMap((pair) => showPair(pair, sent)),
    ...(more > 0 ? [`  (${more} more lines are not shown)`] : []),
  ];
}

function showPair({ line, is, wanted }: LinePair, sent: string): string[] {
  if (is === undefined) return [`> before line ${line}, ${sent} has: ${clip(wanted ?? "", 0)}`];
  if (wanted === undefined)
    return [`> ${line}: ${clip(is, 0)}`, `  ${sent} does not have this line`];
  if (is === wanted) return [`  ${line}: ${clip(is, 0)}`];
  const isSpaceOnly = differsInSpace({ is, wanted });
  const show = isSpaceOnly ? showSpace : (text: string) => text;
  const from = firstDifference(is, wanted);
  return [
    `> ${line}: ${show(clip(is, from))}`,
    `  ${sent} has: ${show(clip(wanted, from))}${isSpaceOnly ? ` (${spaceKey})` : ""}`,
  ];
}

const spaceKey = "\u00b7 is a space, \u2192 a tab";
const maxShown = 160;
const shownBefore = 60;

/** Returns the part of a long line around the first difference. */
function clip(line: string, difference: number): string {
  if (line.length <= maxShown) return line;
  const start = Math.max(0, difference - shownBefore);
  const part = line.slice(start, start + maxShown).toWellFormed();
  return `${start > 0 ? "\u2026" : ""}${part}${start + maxShown < line.length ? "\u2026" : ""}`;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function showSpace(text: string): string {
  return text
    .replaceAll(" ", "\u00b7")
    .replaceAll("\t", "\u2192")
    .replaceAll("\r", "\\r")
    .replace(/[\p{Zs}\u200b\ufeff]/gu, (space) => {
      const code = (space.codePointAt(0) as number).toString(16).padStart(4, "0");
      return `<U+${code.toUpperCase()}>`;
    });
}
