/** The content of a file, as the journal keeps it. */
export type StoredContent =
  /** Short enough to stand here, in base64. */
  | { readonly text: string }
  /** In a file of its own, which is known by its hash. */
  | { readonly blob: string; readonly sha256: string };

/** What a change replaced. */
export type StoredBefore =
  | OtherState
  | ({ readonly kind: "file"; readonly mode?: number } & (
      | StoredContent
      /** What an earlier change left there. */
      | { readonly left_by: string }
    ));

/** What a change put there; a file by what it has in common with the one before. */
export type StoredAfter =
  | OtherState
  | ({
      readonly kind: "file";
      readonly mode?: number;
      /** So many bytes at the start are those before. */
      readonly head: number;
      /** So many at the end are, too. */
      readonly tail: number;
    } & StoredContent);

/** What is at a path and has no content. */
export type OtherState =
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode?: number }
  | { readonly kind: "absent" };

/** One change at one path, on disk. Its id is that of the line, a dot, and its number. */
export interface StoredChange {
  readonly path: string;
  readonly before: StoredBefore;
  readonly after: StoredAfter;
  readonly undoes?: string;
}

/** Changes that are about to take effect together. */
export interface BeginLine {
  readonly version: 2;
  readonly id: string;
  readonly call_id: string;
  /** The process that made the call: ids of calls are not unique for ever. */
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly changes: readonly StoredChange[];
}

/** What became of changes: they took effect, or did not. A single change needs no such line. */
export interface EndLine {
  readonly version: 2;
  readonly end: string;
  readonly as: "done" | "dropped";
}

/** One line of a session's journal. */
export type JournalLine = BeginLine | EndLine;
