/** The text of a file on disk. */
export interface TextDocument {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** Language ID of the protocol. */
  readonly languageId: string;
  /** Stamp of the file from before it was read. */
  readonly stamp: string | undefined;
}
