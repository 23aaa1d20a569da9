/** Instructions that people wrote for agents in a workspace. */
export interface Instructions {
  /** Each file's text with its path, the nearest last. Empty if there are none. */
  readonly text: string;
  readonly files: readonly CollectedFile[];
  /** One message for each ignored file, with the reason. */
  readonly warnings: readonly string[];
}

/** An instruction file. */
export interface CollectedFile {
  readonly path: string;
  /** Size of the file. */
  readonly bytes: number;
  /** Number of bytes left out. Absent if none are. */
  readonly cut?: number;
}
