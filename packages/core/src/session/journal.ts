/** One change to one file. `undefined` content means that there is no file. */
export interface FileChange {
  readonly callId: string;
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Permission bits the file had before. */
  readonly modeBefore: number | undefined;
}

/** Remembers what files held before a call changed them. */
export interface Journal {
  /** Called before the change takes effect; the change waits for it and fails with it. */
  record(change: FileChange): void;
}
