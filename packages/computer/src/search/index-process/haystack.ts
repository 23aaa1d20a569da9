import type { TranslatedRegex } from "../regex/translate-regex.ts";
import { createTextHaystack, type Haystack } from "../text-haystack.ts";
import type { FileContent } from "./read-content.ts";

/** Prepares a file for a search; `undefined` if it takes ripgrep to search it as ripgrep would. */
export function openHaystack(
  { bytes, isValid }: Extract<FileContent, { kind: "text" }>,
  sought: TranslatedRegex,
): Haystack | undefined {
  if (sought.text !== undefined && sought.text !== "") return createBytes(bytes, sought.text);
  if (!isValid && !sought.standsReplacement) return undefined;
  return createTextHaystack(bytes.toString("utf8"), sought.regex);
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
