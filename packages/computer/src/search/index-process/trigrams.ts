/** The distinct hashes of all three-byte sequences of a text; ASCII counts as lower case. */
export function hashTrigrams(text: string): Uint16Array {
  collector ??= new TrigramCollector();
  collector.start();
  collector.feed(encoder.encode(text));
  return collector.hashes.slice();
}

let collector: TrigramCollector | undefined;

const encoder = new TextEncoder();
const differentHashes = 0x10000;

/** Collects the distinct trigrams of bytes that arrive in pieces. Reused for many files. */
export class TrigramCollector {
  /** The longest line so far, in bytes. */
  longestLine = 0;
  #lineLength = 0;
  #trigram = 0;
  #count = 0;
  /** A number for each start, so that nothing has to be cleared. */
  #current = 0;
  readonly #seenAt = new Int32Array(differentHashes);
  readonly #hashes = new Uint16Array(differentHashes);

  /** Starts with nothing collected. */
  start(): void {
    this.#current++;
    this.#count = 0;
    this.#trigram = 0;
    this.#lineLength = 0;
    this.longestLine = 0;
  }

  /** What was collected, valid until the next start. */
  get hashes(): Uint16Array {
    return this.#hashes.subarray(0, this.#count);
  }

  feed(bytes: Uint8Array): void {
    const seenAt = this.#seenAt;
    const hashes = this.#hashes;
    const current = this.#current;
    let trigram = this.#trigram;
    let count = this.#count;
    let lineLength = this.#lineLength;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      // A match lies within one line, so no trigram has to span two.
      if (byte === lineBreak) {
        if (lineLength > this.longestLine) this.longestLine = lineLength;
        lineLength = 0;
        continue;
      }
      trigram = ((trigram << 8) | (folded[byte] as number)) & 0xffffff;
      if (++lineLength < 3) continue;
      const hash = Math.imul(trigram, 0x9e3779b1) >>> 16;
      if (seenAt[hash] === current) continue;
      seenAt[hash] = current;
      hashes[count++] = hash;
    }
    if (lineLength > this.longestLine) this.longestLine = lineLength;
    this.#trigram = trigram;
    this.#count = count;
    this.#lineLength = lineLength;
  }
}

const lineBreak = 0x0a;

const folded = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);
