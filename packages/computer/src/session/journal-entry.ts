/** One line of a session's journal. */
export interface JournalEntry {
  readonly version: 1;
  readonly call_id: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What was there: the name of a blob that holds it, and its permission bits. */
  readonly before: { readonly blob: string; readonly mode: number } | null;
  /** What the call put there, by its hash. */
  readonly after: { readonly sha256: string } | null;
}
