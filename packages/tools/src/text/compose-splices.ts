import type { Splice } from "./text-document.ts";

/** Combines two sequential sets of splices into one that has the same effect. */
export function composeSplices(first: readonly Splice[], then: readonly Splice[]): Splice[] {
  const reader = new PieceReader(toPieces(first));
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, text } of then) {
    reader.take(start - at, pieces);
    pieces.push({ text });
    reader.take(end - start, []);
    at = end;
  }
  reader.take(Number.POSITIVE_INFINITY, pieces);
  return toSplices(pieces);
}

/** A part of the original text, or a new text. */
type Piece = { readonly start: number; readonly end: number } | { readonly text: string };

function toPieces(splices: readonly Splice[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, text } of splices) {
    pieces.push({ start: at, end: start }, { text });
    at = end;
  }
  // The length of the text does not matter.
  return [...pieces, { start: at, end: Number.POSITIVE_INFINITY }];
}

function toSplices(pieces: readonly Piece[]): Splice[] {
  const splices: Splice[] = [];
  let start = 0;
  let text = "";
  for (const piece of pieces) {
    if ("text" in piece) {
      text += piece.text;
    } else if (piece.start < piece.end) {
      if (text !== "" || piece.start > start) splices.push({ start, end: piece.start, text });
      start = piece.end;
      text = "";
    }
  }
  return splices;
}

class PieceReader {
  readonly #pieces: readonly Piece[];
  #index = 0;
  #offset = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** Takes the next pieces with this total length. */
  take(length: number, taken: Piece[]): void {
    let left = length;
    for (let piece = this.#pieces[this.#index]; piece !== undefined && left > 0; ) {
      const rest = lengthOf(piece) - this.#offset;
      const part = Math.min(rest, left);
      taken.push(cut(piece, this.#offset, this.#offset + part));
      this.#offset += part;
      left -= part;
      if (part < rest) break;
      this.#index++;
      this.#offset = 0;
      piece = this.#pieces[this.#index];
    }
  }
}

function lengthOf(piece: Piece): number {
  return "text" in piece ? piece.text.length : piece.end - piece.start;
}

function cut(piece: Piece, from: number, to: number): Piece {
  if ("text" in piece) return { text: piece.text.slice(from, to) };
  return { start: piece.start + from, end: piece.start + to };
}
