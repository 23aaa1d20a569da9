import type { OutputTaker } from "./command-output.ts";

const maxHeldBytes = 16 * 1024 * 1024;

/**
 * Holds the standard error of a command back until its standard output is complete. Keeps the last
 * 16 MB.
 */
export class LateErrors {
  readonly #taker: OutputTaker;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #droppedBytes = 0;
  #isReleased = false;

  constructor(taker: OutputTaker) {
    this.#taker = taker;
  }

  /** Takes bytes, which are valid during the call only. A promise resolves when to go on with more. */
  take(bytes: Buffer): undefined | Promise<void> {
    if (this.#isReleased) return this.#taker.take(bytes);
    this.#taker.notice(bytes);
    this.#held.push(Buffer.from(bytes));
    this.#heldBytes += bytes.length;
    while (this.#heldBytes > maxHeldBytes) {
      const dropped = this.#held.shift()?.length ?? 0;
      this.#heldBytes -= dropped;
      this.#droppedBytes += dropped;
    }
    return undefined;
  }

  /** Passes on what is held, and from now on everything at once. Returns notes about it. */
  async release(): Promise<readonly string[]> {
    this.#isReleased = true;
    const held = this.#held;
    this.#held = [];
    for (const bytes of held) await this.#taker.take(bytes);
    const dropped = this.#droppedBytes;
    return dropped === 0
      ? []
      : [`The first ${dropped} bytes of standard error are not in the output.`];
  }
}
