/** Keeps the last bytes of a stream. */
export class TailBytes {
  readonly #limit: number;
  #ring: Buffer | undefined;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of bytes taken in total. */
  get takenBytes(): number {
    return this.#taken;
  }

  /** Takes bytes, which are copied. */
  add(bytes: Buffer): void {
    this.#ring ??= Buffer.allocUnsafeSlow(this.#limit);
    const skipped = Math.max(0, bytes.length - this.#limit);
    const kept = bytes.subarray(skipped);
    const at = (this.#taken + skipped) % this.#limit;
    const first = kept.copy(this.#ring, at);
    kept.copy(this.#ring, 0, first);
    this.#taken += bytes.length;
  }

  /** Returns the last bytes, at most `length`. */
  last(count: number): Buffer {
    const size = Math.min(count, this.#taken, this.#limit);
    if (this.#ring === undefined || size === 0) return Buffer.alloc(0);
    const end = this.#taken % this.#limit;
    const start = (this.#taken - size) % this.#limit;
    if (start < end) return Buffer.from(this.#ring.subarray(start, end));
    return Buffer.concat([this.#ring.subarray(start), this.#ring.subarray(0, end)]);
  }
}
