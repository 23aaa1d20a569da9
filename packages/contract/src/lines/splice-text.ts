/** A replacement of a part of a text. Offsets count UTF-16 code units. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  /** The new text, with its final line endings. */
  readonly text: string;
}

/** Applies splices to a text. They are in ascending order and do not overlap. */
export function spliceText(text: string, splices: readonly Splice[]): string {
  let spliced = "";
  let at = 0;
  for (const { start, end, text: replacement } of splices) {
    spliced += text.slice(at, start) + replacement;
    at = end;
  }
  return spliced + text.slice(at);
}
