import type { TranslatedRegex } from "../regex/translate-regex.ts";
import type { FileContent } from "./read-content.ts";

/** The lines of a file, and where the next match is. Places count bytes or characters. */
export interface Haystack {
  readonly length: number;
  /** Where the next match starts, from a place on; -1 if there is none. */
  findMatch(from: number): number;
  /** Where the next line break is, from a place on; -1 if there is none. */
  findBreak(from: number): number;
  /** Where the last line break before a place is; -1 if there is none. */
  findBreakBefore(place: number): number;
  slice(start: number, end: number): string;
}

/** Prepares a file for a search; `undefined` if it takes ripgrep to search it as ripgrep would. */
export function openHaystack(
  { bytes, isValid }: Extract<FileContent, { kind: "text" }>,
  sought: TranslatedRegex,
): Haystack | undefined {
  if (sought.text !== undefined && sought.text !== "") return createBytes(bytes, sought.text);
  if (!isValid && !sought.standsReplacement) return undefined;
  return createText(bytes.toString("utf8"), sought.regex);
}

const lineBreak = 0x0a;

function createBytes(bytes: Buffer, text: string): Haystack {
  const needle = Buffer.from(text);
  return {
    length: bytes.length,
    findMatch: (from) => bytes.indexOf(needle, from),
    findBreak: (from) => bytes.indexOf(lineBreak, from),
    // From the end on if it is negative.
    findBreakBefore: (place) => (place === 0 ? -1 : bytes.lastIndexOf(lineBreak, place - 1)),
    slice: (start, end) => bytes.toString("utf8", start, end),
  };
}

function createText(text: string, regex: RegExp): Haystack {
  return {
    length: text.length,
    findMatch: (from) => {
      regex.lastIndex = from;
      return regex.exec(text)?.index ?? -1;
    },
    findBreak: (from) => text.indexOf("\n", from),
    findBreakBefore: (place) => (place === 0 ? -1 : text.lastIndexOf("\n", place - 1)),
    slice: (start, end) => text.slice(start, end),
  };
}
