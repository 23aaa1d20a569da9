import { ComparableLines, type Strategy, strategies } from "./comparable-lines.ts";
import type { FileLines } from "./file-lines.ts";
import type { HunkPosition, Misfit } from "./hunk-position.ts";
import { type Hunk, oldLines, type PatchSection } from "./patch.ts";
import { placeHunk } from "./place-hunk.ts";

/** A hunk and its position in a file. */
export interface PlacedHunk extends HunkPosition {
  readonly hunk: Hunk;
}

/** A summary of how the hunks of a file were placed. */
export interface Fit {
  readonly strategy: Strategy;
  /** The largest distance, in lines, of a hunk from its stated line. */
  readonly offset: number;
}

/** A hunk that has no position. */
export interface MisplacedHunk extends Misfit {
  readonly hunk: Hunk;
  /** Its number in its file, from 1. */
  readonly number: number;
}

/** Finds the positions of all hunks of a section, or returns the first that has none. */
export function placeHunks(
  file: FileLines,
  section: PatchSection,
): readonly PlacedHunk[] | MisplacedHunk {
  const comparable = new ComparableLines(file);
  const placed: PlacedHunk[] = [];
  let from = 0;
  let drift = 0;
  let stated = 0;
  for (const [index, hunk] of section.hunks.entries()) {
    if (hunk.hint !== undefined && hunk.hint.start < stated) {
      // Hunks are out of order, so the earlier ones do not limit this one.
      from = 0;
      drift = 0;
    }
    stated = hunk.hint?.start ?? stated;
    const saysEnd = section.form === "unified";
    const place = placeHunk(hunk, { file, comparable, from, drift, saysEnd });
    if ("reason" in place) return { ...place, hunk, number: index + 1 };
    const found = { ...place, hunk: place.hunk ?? hunk };
    placed.push(found);
    drift = offsetOf(found) ?? drift;
    from = Math.max(from, place.at + countChangeEnd(hunk));
  }
  return placed;
}

/** Summarizes how hunks were placed. */
export function summarize(placed: readonly PlacedHunk[]): Fit {
  let strategy: Strategy = "exact";
  let offset = 0;
  for (const hunk of placed) {
    if (strategies.indexOf(hunk.strategy) > strategies.indexOf(strategy)) strategy = hunk.strategy;
    const moved = offsetOf(hunk) ?? 0;
    if (Math.abs(moved) > Math.abs(offset)) offset = moved;
  }
  return { strategy, offset };
}

function offsetOf({ hunk, at }: PlacedHunk): number | undefined {
  // Without old lines there is nothing to find: it is at its stated line.
  if (hunk.hint === undefined || oldLines(hunk).length === 0) return undefined;
  return at - Math.max(0, hunk.hint.start - 1);
}

/** Counts its old lines up to the end of its last change. */
function countChangeEnd(hunk: Hunk): number {
  const last = hunk.lines.findLastIndex(({ kind }) => kind !== "same");
  return hunk.lines.slice(0, last + 1).filter(({ kind }) => kind !== "added").length;
}
