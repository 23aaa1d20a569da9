/** One line of a hunk. */
export interface HunkLine {
  readonly kind: "same" | "removed" | "added";
  /** Without its line break; a carriage return before that is part of the text. */
  readonly text: string;
  /** The patch says that no line break follows it in the file. */
  readonly isUnended?: boolean;
}

/** Where a hunk says it belongs, as in `@@ -12,5 +12,6 @@`. */
export interface LineHint {
  /** Counted from 1; 0 stands before the first line. */
  readonly start: number;
  readonly count: number;
}

/** Neighbouring lines, and what becomes of them. */
export interface Hunk {
  readonly lines: readonly HunkLine[];
  readonly hint?: LineHint;
  /** Lines that stand before it, each after the one before. */
  readonly anchors: readonly string[];
  /** The last of its old lines is the last of the file. */
  readonly isAtEnd: boolean;
}

/** What a patch does to one file. */
export interface PatchSection {
  readonly form: "unified" | "begin-patch";
  readonly action: "create" | "update" | "delete" | "copy";
  readonly path: string;
  /** Where the file is moved or copied to. */
  readonly target?: string;
  readonly isExecutable?: boolean;
  readonly hunks: readonly Hunk[];
}

/** The lines that a hunk finds. */
export function oldLines(hunk: Hunk): HunkLine[] {
  return hunk.lines.filter(({ kind }) => kind !== "added");
}

/** The lines that a hunk leaves. */
export function newLines(hunk: Hunk): HunkLine[] {
  return hunk.lines.filter(({ kind }) => kind !== "removed");
}
