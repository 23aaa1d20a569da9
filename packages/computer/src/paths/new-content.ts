import type { ByteSplice } from "@haft/contract";
import { joinBytes } from "@haft/contract/internal";
import type { FileChange } from "@haft/core";

/** The new content of a file, in parts that were not joined yet. */
export class NewContent {
  readonly pieces: readonly Uint8Array[];
  readonly length: number;
  /** How it derives from the file's content, where known. */
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

  /** Content given as a whole. `isOwn`: the caller can't change the bytes meanwhile. */
  static from(bytes: Uint8Array, isOwn: boolean): NewContent {
    return new NewContent([bytes], isOwn);
  }

  /** The content of a file with some ranges replaced; these are in order and do not overlap. */
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
    const inserted = joinBytes(pieces.slice(1, -1));
    return new NewContent(pieces, false, { head, tail, inserted });
  }

  get whole(): Uint8Array {
    this.#whole ??=
      this.pieces.length === 1 ? (this.pieces[0] as Uint8Array) : joinBytes(this.pieces);
    return this.#whole;
  }

  /** Returns the content as a private copy. */
  own(): NewContent {
    if (this.#isOwn) return this;
    return new NewContent([joinBytes(this.pieces)], true, this.splice);
  }
}
