/** What was found out about one thing that Haft uses. */
export interface Finding {
  readonly name: string;
  readonly found: boolean;
  /** Without it Haft does not work. */
  readonly required: boolean;
  /** A version, a path, or what is wrong. */
  readonly detail: string;
  /** What to do about it, if it is missing. */
  readonly remedy?: string;
}
