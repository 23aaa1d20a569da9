/** Which files to find. */
export interface FileQuery {
  /** The directory to look in, with all below it. */
  readonly directory: string;
  /** A glob over paths relative to the directory. */
  readonly pattern: string;
  /** At most so many files, after the first `offset`. */
  readonly limit: number;
  readonly offset?: number;
}

/** The files that fit, in the order of their paths. */
export interface FoundFiles {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** How many fit in all. */
  readonly total: number;
}

/** Which text to find, and where. */
export interface TextQuery {
  /** A regular expression in Rust's syntax, or the text itself if `literal`. */
  readonly pattern: string;
  readonly literal: boolean;
  readonly caseSensitive: boolean;
  /** A file, or a directory with all below it. */
  readonly path: string;
  /** Only files that fit this glob; without a slash it is held against the name alone. */
  readonly glob?: string;
  /** So many lines before and after each match come with it. */
  readonly context?: number;
  /** At most so many matching lines in all. */
  readonly limit: number;
  /** At most so many matching lines of one file. */
  readonly limitPerFile?: number;
  /** A line is clipped after so many characters. */
  readonly lineLength: number;
}

/** A line that matches, or that stands near one. */
export interface TextMatch {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** Without its line break. */
  readonly text: string;
  /** More of the line was clipped off. */
  readonly clipped?: true;
  /** The line does not match itself. */
  readonly context?: true;
}

/** Lines that match. */
export interface FoundText {
  /** By path, then by line. */
  readonly matches: readonly TextMatch[];
  /** There are more than `limit`; which of them are here is not determined. */
  readonly isCut: boolean;
}
