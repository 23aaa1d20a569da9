/** The name of an encoding, as `TextDecoder` knows it. */
export type EncodingName = string;

/** An encoding that can be read and written. Byte order marks are the caller's business. */
export interface TextCodec {
  readonly name: EncodingName;
  /** Throws a `TypeError` if the bytes are not of this encoding. */
  decode(bytes: Uint8Array): string;
  /** The bytes of a text, or the first character that the encoding does not have. */
  encode(text: string): Uint8Array | { readonly missing: string };
  /**
   * The byte that lies so many UTF-16 units after another one, found without encoding. Both are
   * where characters begin.
   */
  skip?(bytes: Uint8Array, at: number, units: number): number;
  /** What a character is written as depends on those before it. */
  readonly isStateful?: boolean;
}
