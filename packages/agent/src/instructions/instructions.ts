/** What people wrote for the agents that work in a place. */
export interface Instructions {
  /** Each file's text with its path, the nearest last; empty if there are none. */
  readonly text: string;
  readonly files: readonly CollectedFile[];
  /** Files that are not heeded, each with the reason. */
  readonly warnings: readonly string[];
}

/** A file that instructions were found in. */
export interface CollectedFile {
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
  /** How many of its bytes are left out; absent if none are. */
  readonly cut?: number;
}
