/** The lines of a file, and where the next match is. Offsets count bytes or characters. */
export interface Haystack {
  readonly length: number;
  /** Offset of the next match, from a position on; -1 if there is none. */
  findMatch(from: number): number;
  /** Offset of the next line break, from a position on; -1 if there is none. */
  findBreak(from: number): number;
  /** Offset of the last line break before a position; -1 if there is none. */
  findBreakBefore(place: number): number;
  slice(start: number, end: number): string;
}

/** Prepares a text for a search. */
export function createTextHaystack(text: string, regex: RegExp): Haystack {
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
