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
