import type { ByteSplice } from "@haft/contract";
import type { FileChange } from "@haft/core";

/** What a file shall hold, in pieces that were not put together. */
export class NewContent {
  readonly pieces: readonly Uint8Array[];
  readonly length: number;
  /** How it came of what the file holds, where that is known. */
  readonly splice: FileChange["splice"];
  readonly #isOwn: boolean;
  #whole: Uint8Array | undefined;

  private constructor(
    pieces: readonly Uint8Array[],
    isOwn: boolean,
    splice?: FileChange["splice"],
  ) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.splice = splice;
    this.#isOwn = isOwn;
  }

  /** All of it. It is our own if nobody else can change the bytes while we wait. */
  static from(bytes: Uint8Array, isOwn: boolean): NewContent {
    return new NewContent([bytes], isOwn);
  }

  /** What a file holds with some parts replaced, which are in order and do not overlap. */
  static splice(old: Uint8Array, splices: readonly ByteSplice[]): NewContent {
    const pieces: Uint8Array[] = [];
    let at = 0;
    for (const { start, end, bytes } of splices) {
      if (start < at || end < start || end > old.length) throw new RangeError("No such bytes.");
      pieces.push(old.subarray(at, start), bytes);
      at = end;
    }
    pieces.push(old.subarray(at));
    const head = pieces[0]?.length ?? 0;
    const tail = old.length - at;
    const inserted = join(pieces.slice(1, -1));
    return new NewContent(pieces, false, { head, tail, inserted });
  }

  get whole(): Uint8Array {
    this.#whole ??= this.pieces.length === 1 ? (this.pieces[0] as Uint8Array) : join(this.pieces);
    return this.#whole;
  }

  /** The same in bytes that nobody else has. */
  own(): NewContent {
    if (this.#isOwn) return this;
    return new NewContent([join(this.pieces)], true, this.splice);
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
