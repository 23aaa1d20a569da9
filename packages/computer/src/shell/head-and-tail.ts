import { TailBytes } from "./tail-bytes.ts";
import { isContinuation } from "./utf8-bytes.ts";

/** Keeps the start and the end of a text that arrives in parts, as UTF-8. */
export class HeadAndTail {
  readonly #limits: TextLimits;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #isHeadFull = false;
  readonly #tail: TailBytes;
  totalBytes = 0;

  constructor(limits: TextLimits) {
    this.#limits = limits;
    // The head may leave the rest of a character to the tail.
    this.#tail = new TailBytes(limits.tail + maxCharacterBytes - 1);
  }

  /** Whether nothing is cut, and would not be with `more` bytes more. */
  hasRoom(bytes: number): boolean {
    return this.totalBytes + bytes <= this.#limits.head + this.#limits.tail;
  }

  /** Takes whole characters. The bytes are copied. */
  add(bytes: Buffer): void {
    this.totalBytes += bytes.length;
    const fitting = this.#isHeadFull ? 0 : cutBefore(bytes, this.#limits.head - this.#headBytes);
    if (fitting > 0) this.#head.push(Buffer.from(bytes.subarray(0, fitting)));
    this.#headBytes += fitting;
    this.#isHeadFull ||= fitting < bytes.length;
    if (fitting < bytes.length) this.#tail.add(bytes.subarray(fitting));
  }

  /** Everything that is kept. */
  toBytes(): Buffer {
    return Buffer.concat([...this.#head, this.#tail.last(Number.POSITIVE_INFINITY)]);
  }

  /** Head and tail as texts that together stay within the limits. */
  toTexts(): { readonly head: string; readonly tail: string; readonly omittedBytes: number } {
    if (this.hasRoom(0))
      return { head: this.toBytes().toString("utf8"), tail: "", omittedBytes: 0 };
    const tail = this.#tail.last(this.#limits.tail);
    const start = tail.findIndex((byte) => !isContinuation(byte));
    const whole = start < 0 ? tail.subarray(tail.length) : tail.subarray(start);
    return {
      head: Buffer.concat(this.#head).toString("utf8"),
      tail: whole.toString("utf8"),
      omittedBytes: this.totalBytes - this.#headBytes - whole.length,
    };
  }
}

/** Maximum number of bytes to keep. */
export interface TextLimits {
  readonly head: number;
  readonly tail: number;
}

const maxCharacterBytes = 4;

/** How many of the first `length` bytes are whole characters. */
function cutBefore(bytes: Buffer, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  while (end > 0 && isContinuation(bytes[end] ?? 0)) end--;
  return end;
}
