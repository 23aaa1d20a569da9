/** A search for files by name. */
export interface FileQuery {
  /** The directory to search, including everything below it. */
  readonly directory: string;
  /** A glob over paths relative to the directory. */
  readonly pattern: string;
  /** Maximum number of files, after the first `offset`. */
  readonly limit: number;
  readonly offset?: number;
}

/** The files that match, sorted by path. */
export interface FoundFiles {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Total number of matching files. */
  readonly total: number;
}

/** A search for lines of text. */
export interface TextQuery {
  /** A regular expression in Rust syntax, or literal text with `literal`. */
  readonly pattern: string;
  readonly literal: boolean;
  readonly caseSensitive: boolean;
  /** A file, or a directory including everything below it. */
  readonly path: string;
  /** Only files that match this glob. Without a slash it is matched against the file name. */
  readonly glob?: string;
  /** Number of lines to include before and after each match. */
  readonly context?: number;
  /** Maximum number of matching lines in total. */
  readonly limit: number;
  /** Maximum number of matching lines per file. */
  readonly limitPerFile?: number;
  /** Lines are clipped after this many characters. */
  readonly lineLength: number;
}

/** A matching line, or a context line near one. */
export interface TextMatch {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** Without its line break. */
  readonly text: string;
  /** The line was clipped. */
  readonly clipped?: true;
  /** The line is context and does not match. */
  readonly context?: true;
}

/** The result of a text search. */
export interface FoundText {
  /** Sorted by path, then by line. */
  readonly matches: readonly TextMatch[];
  /** There are more than `limit` matches. Which of them are included is not defined. */
  readonly isCut: boolean;
}
