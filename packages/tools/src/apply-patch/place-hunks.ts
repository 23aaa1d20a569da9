import { ComparableLines, type Strategy, strategies } from "./comparable-lines.ts";
import { explainMisfit } from "./explain-misfit.ts";
import type { FileLines } from "./file-lines.ts";
import { type Hunk, oldLines, type PatchSection } from "./patch.ts";
import type { Place } from "./place.ts";
import { placeHunk } from "./place-hunk.ts";

/** A hunk and its place in a file. */
export interface PlacedHunk extends Place {
  readonly hunk: Hunk;
}

/** What is told of how the hunks of a file were placed. */
export interface Fit {
  readonly strategy: Strategy;
  /** By how many lines the hunk that was moved farthest stands off its stated line. */
  readonly offset: number;
}

/** Finds the places of all hunks of a section; throws `conflict` if one has none. */
export function placeHunks(
  file: FileLines,
  section: PatchSection,
  name: string,
): readonly PlacedHunk[] {
  const comparable = new ComparableLines(file);
  const placed: PlacedHunk[] = [];
  let from = 0;
  let drift = 0;
  let stated = 0;
  for (const [index, hunk] of section.hunks.entries()) {
    if (hunk.hint !== undefined && hunk.hint.start < stated) {
      // Hunks out of order: what the ones before found says nothing of this one.
      from = 0;
      drift = 0;
    }
    stated = hunk.hint?.start ?? stated;
    const saysEnd = section.form === "unified";
    const place = placeHunk(hunk, { file, comparable, from, drift, saysEnd });
    if ("reason" in place) {
      throw explainMisfit(place, { hunk, number: index + 1, name, file });
    }
    placed.push({ ...place, hunk });
    drift = offsetOf({ ...place, hunk }) ?? drift;
    from = Math.max(from, place.at + countChangeEnd(hunk));
  }
  return placed;
}

/** Sums up how hunks were placed. */
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
  // Without old lines there is nothing to find: it stands where it was told to.
  if (hunk.hint === undefined || oldLines(hunk).length === 0) return undefined;
  return at - Math.max(0, hunk.hint.start - 1);
}

/** How many of its old lines lie before the end of its last change. */
function countChangeEnd(hunk: Hunk): number {
  const last = hunk.lines.findLastIndex(({ kind }) => kind !== "same");
  return hunk.lines.slice(0, last + 1).filter(({ kind }) => kind !== "added").length;
}
