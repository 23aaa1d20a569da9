/** Replaces a masked value. */
export const maskText = "•••";

/**
 * Creates a function that masks these values in a text: verbatim, as escaped in JSON, and in base64, hexadecimal
 * and percent encoding.
 */
export function maskValues(values: readonly string[]): (text: string) => string {
  if (values.length === 0) return (text) => text;
  const sorted = listSpellings(values);
  return (text) => sorted.reduce((rest, spelling) => rest.replaceAll(spelling, maskText), text);
}

/** Returns the length of the longest text that `maskValues` masks. */
export function maxSpellingLength(values: readonly string[]): number {
  return listSpellings(values)[0]?.length ?? 0;
}

function listSpellings(values: readonly string[]): readonly string[] {
  const spellings = values.flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    ...listEncodings(value),
    // A value of several lines is printed line by line.
    ...(value.includes("\n") ? value.split(/\r?\n/u).filter((line) => line.length >= 8) : []),
  ]);
  // Longest first, because one value may be part of another.
  return [...new Set(spellings)]
    .filter((spelling) => spelling !== "")
    .sort((a, b) => b.length - a.length);
}

// The encodings of shorter values occur in ordinary texts.
const minEncodedBytes = 8;

function listEncodings(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  if (bytes.length < minEncodedBytes) return [];
  // Base64 differs by how many bytes come before. Characters that the neighbours change are left out.
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const toCharacters = (count: number): number => (count * 8) / 6;
    return text.slice(Math.ceil(toCharacters(before)), toCharacters(before + bytes.length));
  });
  const inUrls = inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const hex = bytes.toString("hex");
  const percent = encodeURIComponent(value.toWellFormed());
  return [...inBase64, ...inUrls, hex, hex.toUpperCase(), percent];
}
