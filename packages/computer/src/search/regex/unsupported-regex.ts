/** Thrown for a pattern that is left to ripgrep, or that is not valid. */
export class UnsupportedRegex extends Error {
  override readonly name = "UnsupportedRegex";
}
