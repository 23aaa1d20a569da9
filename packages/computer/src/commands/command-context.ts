/** The workspace that commands are read for. */
export interface CommandContext {
  readonly roots: readonly string[];
  /** The roots that may be written to. Default: all. */
  readonly writable?: readonly string[];
  readonly home: string | undefined;
}
