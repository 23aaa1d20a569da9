/** Where commands are read for. */
export interface CommandPlace {
  readonly roots: readonly string[];
  readonly home: string | undefined;
}
