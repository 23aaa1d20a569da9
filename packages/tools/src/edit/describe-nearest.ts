import { compareMatch, type LinePair } from "./compare-match.ts";
import type { FileText } from "./file-text.ts";
import { findNearest, type NearMatch } from "./nearest-matches.ts";

/** Describes where a file is most similar to a missing text, and what differs there. */
export function describeNearest(file: FileText, wanted: string): string {
  const lines = file.toPlain(wanted).replace(/\n$/u, "").split("\n");
  const places = findNearest(file.toLined(), lines);
  if (places.length === 0) {
    return " Nothing in it is similar. Read the file and copy the text to replace from it.";
  }
  const shown = places.map((place) => describeMatch(place, lines));
  return ` Nearest:\n${shown.join("\n")}\nCopy the text to replace from the file, without line numbers.`;
}

const maxDifferences = 3;

function describeMatch(place: NearMatch, wanted: readonly string[]): string {
  const pairs = compareMatch(place, wanted);
  const lines = pairs.filter(({ is }) => is !== undefined).map(({ line }) => line);
  const [first, last] = [lines[0] ?? place.line + 1, lines.at(-1) ?? place.line + 1];
  const differing = pairs.filter((pair) => pair.is !== pair.wanted);
  const shown = differing.slice(0, maxDifferences).map(describeDifference);
  if (differing.length > shown.length) shown.push(`  and ${differing.length - shown.length} more`);
  const range = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return [`${range}, ${differing.length} of ${pairs.length} different:`, ...shown].join("\n");
}

function describeDifference({ line, is, wanted }: LinePair): string {
  if (is === undefined) return `  before line ${line}, old_string has: ${clip(wanted ?? "", 0)}`;
  if (wanted === undefined) return `  line ${line} is not in old_string: ${clip(is, 0)}`;
  const isSpaceOnly = is.replace(/\s+/gu, "") === wanted.replace(/\s+/gu, "");
  const show = isSpaceOnly ? showSpace : (text: string) => text;
  const from = firstDifference(is, wanted);
  const key = isSpaceOnly ? " (\u00b7 is a space, \u2192 a tab)" : "";
  return [
    `  line ${line} is:     ${show(clip(is, from))}`,
    `  old_string has: ${show(clip(wanted, from))}${key}`,
  ].join("\n");
}

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
