import { decodePlainUtf8, detectEncoding, detectUnmarked, markLength } from "./detect-encoding.ts";
import type { EncodingName } from "./text-codec.ts";

/**
 * Decodes a file that arrives in chunks, to the same text as `openText`. Invalid bytes become U+FFFD.
 * The first chunk beyond ASCII determines the encoding.
 */
export class TextStream {
  readonly #path: string;
  #decoder: TextDecoder | undefined;
  #encoding: EncodingName | undefined;
  #hasBegun = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** The encoding, as far as known. */
  get encoding(): EncodingName {
    return this.#encoding ?? "utf-8";
  }

  /** Decodes the next chunk. Throws `binary` if the file is not text. */
  push(bytes: Uint8Array, isLast: boolean): string {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (this.#decoder === undefined) {
      const plain = decodePlainUtf8(bytes);
      // A whole UTF-8 file, or an ASCII part of a file.
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
