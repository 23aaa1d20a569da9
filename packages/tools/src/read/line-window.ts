import { utf8Head, utf8Length } from "@haft/contract";

/** Which lines to keep. */
export interface LineRange {
  /** The number of the first, from 1. */
  readonly first: number;
  readonly limit: number;
  /** What the kept text may take in UTF-8, its line numbers included. */
  readonly maxBytes: number;
  /** Lines are cut off after so many bytes; else after `longestLine` characters, with a mark. */
  readonly lineBytes?: number | undefined;
  /** That the text ends before the first line is no error. */
  readonly mayPassEnd?: boolean;
}

/** What is known of a piece of text. */
export interface Piece {
  /** What it takes in UTF-8, if that is known. */
  readonly bytes: number | undefined;
  readonly isLast: boolean;
}

/** What is shown of a line: a minified file would fill the window with what nobody reads. */
export const longestLine = 2_000;

/**
 * Keeps a range of the lines of a text that arrives in pieces, numbered, and nothing else of it:
 * neither the lines around the range nor what a long line has beyond its limit.
 */
export class LineWindow {
  /** How many lines have ended so far. */
  ended = 0;
  /** The number of the line after the kept ones. */
  next: number;
  readonly #range: LineRange;
  // The kept lines with their numbers, a line break after each.
  #lines = "";
  #bytes = 0;
  #isFull = false;
  // Of a line whose end has not arrived: as much of it as will be shown, and how long it is by now.
  #open = "";
  #openLength = 0;
  #openEndsWithReturn = false;

  constructor(range: LineRange) {
    this.#range = range;
    this.next = range.first;
  }

  /** The kept lines as `number: text`, joined by line breaks. */
  get content(): string {
    return this.#lines.slice(0, -1);
  }

  /** The range is full, and there is text after it. */
  get isComplete(): boolean {
    return this.#isFull && (this.ended >= this.next || this.#openLength > 0);
  }

  /** A line of the range goes on beyond what is shown of it. */
  get isInLongLine(): boolean {
    return this.#openLength > (this.#range.lineBytes ?? longestLine) && this.#isWanted();
  }

  /** Counts lines before the range without seeing them; another may have begun behind them. */
  skip(lines: number, hasBegun: boolean): void {
    this.ended += lines;
    this.#openLength = hasBegun ? 1 : 0;
  }

  /** Keeps a long line without having seen its end. */
  endLongLine(): void {
    this.#endOpen("at least ");
  }

  /**
   * Takes the next piece of the text and returns when the range is complete; the last piece is
   * taken to its end, so that all lines are counted.
   */
  push(text: string, piece: Piece): void {
    const measure = this.#chooseMeasure(text, piece.bytes);
    const { lineBytes } = this.#range;
    let at = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", at)) {
      if (this.#openLength > 0) {
        this.#leaveOpen(text.slice(at, end));
        this.#endOpen();
      } else {
        if (this.#isWanted()) this.#keep(cutLine(text, { start: at, end }, lineBytes), measure);
        this.ended++;
      }
      at = end + 1;
      if (this.#isFull && !piece.isLast && this.isComplete) return;
    }
    if (at < text.length) this.#leaveOpen(text.slice(at));
    if (piece.isLast && this.#openLength > 0) this.#endOpen();
  }

  #isWanted(): boolean {
    return !this.#isFull && this.ended + 1 >= this.#range.first;
  }

  #leaveOpen(part: string): void {
    if (part === "") return;
    this.#openLength += part.length;
    this.#openEndsWithReturn = part.endsWith("\r");
    const room = (this.#range.lineBytes ?? longestLine) + 1 - this.#open.length;
    if (room > 0 && this.#isWanted()) this.#open += part.slice(0, room);
  }

  #endOpen(estimate = ""): void {
    if (this.#isWanted()) {
      const length = this.#openLength - (this.#openEndsWithReturn ? 1 : 0);
      const { lineBytes } = this.#range;
      this.#keep(`${clip(this.#open, length, { lineBytes, estimate })}\n`, utf8Length);
    }
    this.#open = "";
    this.#openLength = 0;
    this.ended++;
  }

  #keep(line: string, measure: Measure): void {
    const numbered = `${this.next}: ${line}`;
    const bytes = measure(numbered);
    if (this.#bytes + bytes > this.#range.maxBytes && this.next > this.#range.first) {
      this.#isFull = true;
      return;
    }
    this.#bytes += bytes;
    this.#lines += numbered;
    this.next++;
    if (this.next === this.#range.first + this.#range.limit) this.#isFull = true;
  }

  // Measuring takes longer than all the rest, so it is done only where it could matter.
  #chooseMeasure(text: string, bytes: number | undefined): Measure {
    if (bytes === undefined) return utf8Length;
    if (bytes === text.length) return unitLength;
    const { first, limit, maxBytes } = this.#range;
    const numbers = Math.min(limit, text.length) * (String(first + limit).length + 2);
    const most = bytes + numbers + (bytes / longestLine) * longestMark;
    if (this.#bytes + most > maxBytes) return utf8Length;
    this.#bytes += most;
    return () => 0;
  }
}

type Measure = (line: string) => number;

const unitLength: Measure = (line) => line.length;
const carriageReturn = 13;
const longestMark = 40;

/** A line with the break it ends with, but without a carriage return. */
function cutLine(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  lineBytes: number | undefined,
): string {
  const hasReturn = text.charCodeAt(end - 1) === carriageReturn;
  const length = (hasReturn ? end - 1 : end) - start;
  // A slice with its line break is one string less to make, for each of many lines.
  if (!hasReturn && length <= certainLength(lineBytes)) return text.slice(start, end + 1);
  return `${clip(text.slice(start, start + length), length, { lineBytes })}\n`;
}

/** So many characters are shown whatever they are. */
export function certainLength(lineBytes: number | undefined): number {
  return lineBytes === undefined ? longestLine : Math.floor(lineBytes / mostBytesOfUnit);
}

const mostBytesOfUnit = 3;

/** What is shown of a line of this length that begins like this. */
function clip(
  text: string,
  length: number,
  how: { readonly lineBytes: number | undefined; readonly estimate?: string },
): string {
  const { lineBytes, estimate = "" } = how;
  if (lineBytes !== undefined) return utf8Head(text.slice(0, length), lineBytes);
  if (length <= longestLine) return text.slice(0, length);
  // Half a pair is no character.
  const isPair = (text.charCodeAt(longestLine - 1) & 0xfc00) === 0xd800;
  const end = isPair ? longestLine - 1 : longestLine;
  return `${text.slice(0, end)}... [${estimate}${length - end} more characters]`;
}
