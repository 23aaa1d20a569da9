/** A range of a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** How lines are compared. */
export interface LineRule {
  /** Returns the part of a line to compare, such as without surrounding space. */
  fold(line: string): string;
  /** The match must begin at the start of a line; otherwise it may begin inside one. */
  readonly isFirstWhole: boolean;
  /** The match must end at the end of a line; otherwise it may end inside one. */
  readonly isLastWhole: boolean;
}

/** Lines to find. An empty last line stands for the line break before it. */
export interface WantedLines {
  readonly rule: LineRule;
  /** As the rule folds them. */
  readonly folded: readonly string[];
  readonly endsWithBreak: boolean;
}
