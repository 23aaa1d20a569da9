import type { ComparableLines, Strategy } from "./comparable-lines.ts";
import type { FileLines } from "./file-lines.ts";

/** Where a hunk belongs. Lines are counted from 0. */
export interface Place {
  readonly at: number;
  readonly strategy: Strategy;
  /** What the hunk says of line endings and of the end of the file holds there. */
  readonly isExact: boolean;
}

/** Why no place can be given. */
export interface Misfit {
  readonly reason: "nowhere" | "ambiguous" | "no-anchor" | "past-end";
  /** Lines that would do, counted from 0. */
  readonly places: readonly number[];
  readonly anchor?: string;
}

/** What a hunk is placed in. */
export interface Surroundings {
  readonly file: FileLines;
  readonly comparable: ComparableLines;
  /** What stands before this line is the matter of earlier hunks. */
  readonly from: number;
  /** By how many lines the hunk before was moved. */
  readonly drift: number;
  /** Whether the patch says how the file's last line ends. */
  readonly saysEnd: boolean;
}
