import { decodePlainUtf8, detectEncoding, detectUnmarked, markLength } from "./detect-encoding.ts";
import type { EncodingName } from "./text-codec.ts";

/**
 * Decodes a file that arrives in chunks, to the same text that `openText` has for it; bytes that
 * are no characters become U+FFFD. What the encoding is shows in the first chunk that has more
 * than ASCII.
 */
export class TextStream {
  readonly #path: string;
  #decoder: TextDecoder | undefined;
  #encoding: EncodingName | undefined;
  #hasBegun = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** The encoding, as far as it is known. */
  get encoding(): EncodingName {
    return this.#encoding ?? "utf-8";
  }

  /** The text of the next chunk; throws `binary` if the file is no text. */
  push(bytes: Uint8Array, isLast: boolean): string {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (this.#decoder === undefined) {
      const plain = decodePlainUtf8(bytes);
      // A whole file that is UTF-8, or a part of one that is ASCII.
      if (plain !== undefined && ((isFirst && isLast) || plain.length === bytes.length)) {
        return plain;
      }
      const detect = isFirst ? detectEncoding : detectUnmarked;
      this.#encoding = detect(bytes, isFirst && isLast, this.#path);
      this.#decoder = new TextDecoder(this.#encoding, { ignoreBOM: true });
    }
    const mark = isFirst ? markLength(bytes, this.encoding) : 0;
    return this.#decoder.decode(bytes.subarray(mark), { stream: !isLast });
  }
}
