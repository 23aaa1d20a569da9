/** The name of an encoding for `TextDecoder`. */
export type EncodingName = string;

/** An encoding that can be read and written. The caller handles byte order marks. */
export interface TextCodec {
  readonly name: EncodingName;
  /** Throws a `TypeError` if the bytes are not of this encoding. */
  decode(bytes: Uint8Array): string;
  /** Returns the bytes of a text, or the first character that the encoding lacks. */
  encode(text: string): Uint8Array | { readonly missing: string };
  /**
   * Returns the byte offset that is a number of UTF-16 units after another one, without encoding.
   * Both are at the start of characters.
   */
  skip?(bytes: Uint8Array, at: number, units: number): number;
  /** The bytes of a character depend on those before it. */
  readonly isStateful?: boolean;
}
