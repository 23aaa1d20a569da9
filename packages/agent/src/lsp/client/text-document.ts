/** A file's text, as it is on disk. */
export interface TextDocument {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** What the protocol calls its language. */
  readonly languageId: string;
  /** Of the file, from before it was read. */
  readonly stamp: string | undefined;
}
