/** Replaces a masked value. */
export const maskText = "•••";

/** Creates a function that masks these values in a text, verbatim and as escaped in JSON. */
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
    // A value of several lines is printed line by line.
    ...(value.includes("\n") ? value.split(/\r?\n/u).filter((line) => line.length >= 8) : []),
  ]);
  // Longest first, because one value may be part of another.
  return [...new Set(spellings)]
    .filter((spelling) => spelling !== "")
    .sort((a, b) => b.length - a.length);
}
