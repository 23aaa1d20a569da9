import { analyse } from "chardet";
import { rateEastAsian } from "./rate-east-asian.ts";
import type { EncodingName } from "./text-codec.ts";

/**
 * Ranks the encodings that a non-Unicode text may have, most likely first. Single bytes beyond ASCII
 * suggest Western Europe, unless whole words consist of them.
 */
export function rankLegacyEncodings(sample: Uint8Array): EncodingName[] {
  const eastAsian = rateEastAsian(sample);
  const alphabets = hasForeignWords(sample) ? rankAlphabets(sample) : [];
  // The old form of gb18030 has one more character.
  const related = eastAsian.includes("gb18030") ? ["gbk"] : [];
  return [...eastAsian, ...related, ...alphabets, "windows-1252"];
}

const enoughConfidence = 20;

/** Encodings of non-Latin scripts, by their `chardet` name. */
const alphabetNames = new Map<string, EncodingName>([
  ["windows-1251", "windows-1251"],
  ["KOI8-R", "koi8-r"],
  ["ISO-8859-5", "iso-8859-5"],
  ["ISO-8859-7", "windows-1253"],
  ["windows-1253", "windows-1253"],
  ["ISO-8859-8", "windows-1255"],
  ["windows-1255", "windows-1255"],
  ["ISO-8859-6", "iso-8859-6"],
  ["windows-1256", "windows-1256"],
  ["windows-874", "windows-874"],
]);

function rankAlphabets(sample: Uint8Array): EncodingName[] {
  return analyse(sample)
    .filter(({ confidence }) => confidence >= enoughConfidence)
    .map(({ name }) => alphabetNames.get(name))
    .filter((name) => name !== undefined);
}

/** Tells whether letters beyond ASCII form words of their own. */
function hasForeignWords(sample: Uint8Array): boolean {
  let together = 0;
  let mixed = 0;
  for (let at = 0; at < sample.length; at++) {
    if ((sample[at] as number) < 0xa0) continue;
    const neighbours = [sample[at - 1], sample[at + 1]];
    if (neighbours.some((byte) => byte !== undefined && byte >= 0xa0)) together++;
    else if (neighbours.some((byte) => byte !== undefined && isAsciiLetter(byte))) mixed++;
  }
  return together > 4 * mixed;
}

function isAsciiLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
