/** The content of a file, as stored in the journal. */
export type StoredContent =
  /** Short content, inline in base64. */
  | { readonly text: string }
  /** In a file of its own, identified by its hash. */
  | { readonly blob: string; readonly sha256: string };

/** What was moved out of the workspace as it was: an entry below the journal's blobs. */
export interface KeptEntry {
  /** Where it is kept, relative to the blobs. */
  readonly kept: string;
  /** See `printOf`. */
  readonly print: string;
}

/** The state that a change replaced. */
export type StoredBefore =
  | (OtherState & Partial<KeptEntry>)
  | ({ readonly kind: "file"; readonly mode?: number } & (
      | StoredContent
      /** What an earlier change left there. */
      | { readonly left_by: string }
      | KeptEntry
    ));

/** The state after a change; a file as the difference from the one before, or by its print alone. */
export type StoredAfter =
  | (OtherState & { readonly print?: string })
  | ({ readonly kind: "file"; readonly mode?: number; readonly print?: string } & StoredSplice)
  | { readonly kind: "file"; readonly mode: number; readonly print: string };

/** How one content became another. */
export type StoredSplice = {
  /** Number of bytes at the start that did not change. */
  readonly head: number;
  /** Number of bytes at the end that did not change. */
  readonly tail: number;
} & StoredContent;

/** The state of a path that has no content. */
export type OtherState =
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode?: number }
  | { readonly kind: "absent" };

/** One change of one path, as stored. Its ID is the line's ID, a dot, and its index. */
export interface StoredChange {
  readonly path: string;
  readonly before: StoredBefore;
  readonly after: StoredAfter;
  readonly undoes?: string;
  /** What was there was dropped once the change was made. */
  readonly final?: true;
}

/** Changes that are about to take effect together. */
export interface BeginLine {
  readonly version: 2;
  readonly id: string;
  readonly call_id: string;
  /** The process that made the call, because call IDs may recur. */
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The tool that was called. */
  readonly tool?: string;
  /** What it was called for: a command, a path. */
  readonly title?: string;
  readonly changes: readonly StoredChange[];
  /** The blob that holds the changes instead, if there are many. */
  readonly changes_in?: string;
}

/** Whether changes took effect. A single change needs no such line. */
export interface EndLine {
  readonly version: 2;
  readonly end: string;
  readonly as: "done" | "dropped";
}

/** One line of a session's journal. */
export type JournalLine = BeginLine | EndLine;
