import type { ComparableLines, Strategy } from "./comparable-lines.ts";
import type { FileLines } from "./file-lines.ts";
import type { Hunk } from "./patch.ts";

/** The position of a hunk. Lines are counted from 0. */
export interface HunkPosition {
  readonly at: number;
  readonly strategy: Strategy;
  /** Line endings and the end of the file match the hunk as well. */
  readonly isExact: boolean;
  /** The hunk with the indentation of the file, if it had another. */
  readonly hunk?: Hunk;
}

/** Why a hunk has no position. */
export interface Misfit {
  readonly reason: "nowhere" | "ambiguous" | "no-anchor" | "past-end";
  /** The candidate lines, from 0. */
  readonly places: readonly number[];
  readonly anchor?: string;
}

/** The file in which a hunk is placed, and the hunks before it. */
export interface Surroundings {
  readonly file: FileLines;
  readonly comparable: ComparableLines;
  /** Lines before this one belong to earlier hunks. */
  readonly from: number;
  /** The offset of the previous hunk from its stated line. */
  readonly drift: number;
  /** Whether the patch states how the file's last line ends. */
  readonly saysEnd: boolean;
}
