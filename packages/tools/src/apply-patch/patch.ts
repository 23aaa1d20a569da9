/** One line of a hunk. */
export interface HunkLine {
  readonly kind: "same" | "removed" | "added";
  /** Without its line break. A carriage return before that is part of the text. */
  readonly text: string;
  /** The patch says that no line break follows it in the file. */
  readonly isUnended?: boolean;
}

/** The stated position of a hunk, as in `@@ -12,5 +12,6 @@`. */
export interface LineHint {
  /** From 1; 0 is before the first line. */
  readonly start: number;
  readonly count: number;
}

/** Adjacent lines and their changes. */
export interface Hunk {
  readonly lines: readonly HunkLine[];
  readonly hint?: LineHint;
  /** Lines before it, in order, that locate it. */
  readonly anchors: readonly string[];
  /** Its last old line is the last line of the file. */
  readonly isAtEnd: boolean;
}

/** The changes of a patch to one file. */
export interface PatchSection {
  readonly form: "unified" | "begin-patch";
  readonly action: "create" | "update" | "delete" | "copy";
  readonly path: string;
  /** Where the file is moved or copied to. */
  readonly target?: string;
  readonly isExecutable?: boolean;
  readonly hunks: readonly Hunk[];
}

/** Returns the lines that a hunk expects. */
export function oldLines(hunk: Hunk): HunkLine[] {
  return hunk.lines.filter(({ kind }) => kind !== "added");
}

/** Returns the lines that a hunk produces. */
export function newLines(hunk: Hunk): HunkLine[] {
  return hunk.lines.filter(({ kind }) => kind !== "removed");
}
