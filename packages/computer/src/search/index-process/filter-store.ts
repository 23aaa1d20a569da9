/** A location in the store. */
export interface StoredFilter {
  readonly offset: number;
  /** Its size. */
  readonly words: number;
}

// A bit more or less per trigram changes little: eight trigrams of a rare text must all be there.
const bitsPerTrigram = 4;
const maxWords = 512;
const blockWords = 1 << 14;
const leastWaste = 1 << 18;

/**
 * Sets of trigrams, a few bits for each (Bloom filters). They may report a trigram that is not there,
 * never the reverse.
 */
export class FilterStore {
  readonly #blocks: Int32Array[] = [];
  #used = 0;
  #wasted = 0;

  /** Much of it is wasted: time to move to a new store. */
  get isWasteful(): boolean {
    return this.#wasted > leastWaste && this.#wasted > this.#used / 2;
  }

  add(hashes: Uint16Array): StoredFilter {
    const words = Math.min(Math.ceil((hashes.length * bitsPerTrigram) / 32), maxWords);
    const offset = this.#reserve(words);
    if (words === 0) return { offset, words };
    const block = this.#blockAt(offset);
    const start = offset % blockWords;
    const bits = words * 32;
    for (let index = 0; index < hashes.length; index++) {
      const bit = placeOf(hashes[index] as number, bits);
      const word = start + (bit >>> 5);
      block[word] = (block[word] as number) | (1 << (bit & 31));
    }
    return { offset, words };
  }

  /** Whether all of these may be in the set. */
  mayHold(offset: number, words: number, hashes: Uint16Array): boolean {
    if (words === 0) return hashes.length === 0;
    const block = this.#blockAt(offset);
    const start = offset % blockWords;
    const bits = words * 32;
    for (let index = 0; index < hashes.length; index++) {
      const bit = placeOf(hashes[index] as number, bits);
      if (((block[start + (bit >>> 5)] as number) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  /** Releases a set of this size. */
  release(words: number): void {
    this.#wasted += words;
  }

  /** Copies a set from another store, and returns its new location. */
  copy(from: FilterStore, { offset, words }: StoredFilter): number {
    const copied = this.#reserve(words);
    if (words === 0) return copied;
    const start = offset % blockWords;
    const set = from.#blockAt(offset).subarray(start, start + words);
    this.#blockAt(copied).set(set, copied % blockWords);
    return copied;
  }

  // A set never spans two blocks.
  #reserve(words: number): number {
    const room = this.#blocks.length * blockWords;
    if (this.#used + words > room) {
      this.#used = room;
      this.#blocks.push(new Int32Array(blockWords));
    }
    const offset = this.#used;
    this.#used += words;
    return offset;
  }

  #blockAt(offset: number): Int32Array {
    return this.#blocks[Math.floor(offset / blockWords)] as Int32Array;
  }
}

// Spreads 16-bit hashes over so many slots.
function placeOf(hash: number, bits: number): number {
  return Math.imul(hash, bits) >>> 16;
}
