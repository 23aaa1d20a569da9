import { utf8Head, utf8Length } from "@haft/contract/internal";

/** The range of lines to keep, and its limits. */
export interface LineRange {
  /** The first line, from 1. */
  readonly first: number;
  readonly limit: number;
  /** Maximum UTF-8 bytes of the kept text, line numbers included. */
  readonly maxBytes: number;
  /** Cut lines after this many bytes. Default: after `maxLineLength` characters, with a mark. */
  readonly lineBytes?: number | undefined;
  /** Allow a text that ends before the first line. */
  readonly mayPassEnd?: boolean;
}

/** Properties of a piece of text. */
export interface Piece {
  /** Its UTF-8 length, if known. */
  readonly bytes: number | undefined;
  readonly isLast: boolean;
}

/** Maximum length of a shown line: a minified file would fill the window with unreadable text. */
export const maxLineLength = 2_000;

/**
 * Keeps a numbered range of lines of a text that arrives in pieces. It stores neither lines outside
 * the range nor the rest of long lines.
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
  // A line whose end has not arrived: the part that will be shown, and its length so far.
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

  /** The range is full, and text follows it. */
  get isComplete(): boolean {
    return this.#isFull && (this.ended >= this.next || this.#openLength > 0);
  }

  /** A line of the range is longer than its shown part. */
  get isInLongLine(): boolean {
    return this.#openLength > (this.#range.lineBytes ?? maxLineLength) && this.#isWanted();
  }

  /** Counts lines before the range without reading them. Another line may have begun after them. */
  skip(lines: number, hasBegun: boolean): void {
    this.ended += lines;
    this.#openLength = hasBegun ? 1 : 0;
  }

  /** Keeps a long line whose end was not read. */
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
    const room = (this.#range.lineBytes ?? maxLineLength) + 1 - this.#open.length;
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

  // Measuring takes most of the time, so it is done only if it could matter.
  #chooseMeasure(text: string, bytes: number | undefined): Measure {
    if (bytes === undefined) return utf8Length;
    if (bytes === text.length) return unitLength;
    const { first, limit, maxBytes } = this.#range;
    const numbers = Math.min(limit, text.length) * (String(first + limit).length + 2);
    const maxTextBytes = bytes + numbers + (bytes / maxLineLength) * maxMarkLength;
    if (this.#bytes + maxTextBytes > maxBytes) return utf8Length;
    this.#bytes += maxTextBytes;
    return () => 0;
  }
}

type Measure = (line: string) => number;

const unitLength: Measure = (line) => line.length;
const carriageReturn = 13;
const maxMarkLength = 40;

/** Returns a line with its line feed, but without a carriage return. */
function cutLine(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  lineBytes: number | undefined,
): string {
  const hasReturn = text.charCodeAt(end - 1) === carriageReturn;
  const length = (hasReturn ? end - 1 : end) - start;
  // Slicing with the line break saves one string per line.
  if (!hasReturn && length <= certainLength(lineBytes)) return text.slice(start, end + 1);
  return `${clip(text.slice(start, start + length), length, { lineBytes })}\n`;
}

/** The number of characters that are always shown. */
export function certainLength(lineBytes: number | undefined): number {
  return lineBytes === undefined ? maxLineLength : Math.floor(lineBytes / maxBytesOfUnit);
}

const maxBytesOfUnit = 3;

/** Returns the shown part of a line. */
function clip(
  text: string,
  length: number,
  how: { readonly lineBytes: number | undefined; readonly estimate?: string },
): string {
  const { lineBytes, estimate = "" } = how;
  if (lineBytes !== undefined) return utf8Head(text.slice(0, length), lineBytes);
  if (length <= maxLineLength) return text.slice(0, length);
  // Do not split a surrogate pair.
  const isPair = (text.charCodeAt(maxLineLength - 1) & 0xfc00) === 0xd800;
  const end = isPair ? maxLineLength - 1 : maxLineLength;
  return `${text.slice(0, end)}... [${estimate}${length - end} more characters]`;
}
