/** The workspace that commands are read for. */
export interface CommandContext {
  readonly roots: readonly string[];
  readonly home: string | undefined;
}
