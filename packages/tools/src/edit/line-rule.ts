/** A part of a text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** How lines are compared. */
export interface LineRule {
  /** What is compared of a line; it may leave out space at the end, or at both sides. */
  fold(line: string): string;
  /** The first line must be a whole one; otherwise it may begin inside a line. */
  readonly isFirstWhole: boolean;
  /** The last line must be a whole one; otherwise it may end inside a line. */
  readonly isLastWhole: boolean;
}

/** Lines to look for. An empty last line stands for the line break before it. */
export interface WantedLines {
  readonly rule: LineRule;
  /** As the rule folds them. */
  readonly folded: readonly string[];
  readonly endsWithBreak: boolean;
}
