import { findShift, type IndentationShift, indentationOf } from "../edit/shift-indentation.ts";
import { transplant } from "../edit/transplant.ts";
import { type Comparison, comparisons, toComparable } from "./comparable-lines.ts";
import { findAnchors } from "./find-anchors.ts";
import { findBlock } from "./find-block.ts";
import type { HunkPosition, Misfit, Surroundings } from "./hunk-position.ts";
import { type Hunk, type LineHint, newLines, oldLines } from "./patch.ts";

/**
 * Finds the position of a hunk. If several match, its line number or anchor decides. Without one, or
 * with a looser strategy, there must be exactly one match.
 */
export function placeHunk(hunk: Hunk, around: Surroundings): HunkPosition | Misfit {
  const anchors = findAnchors(hunk.anchors, around);
  if ("reason" in anchors) return anchors;
  const old = oldLines(hunk);
  if (old.length === 0) return placeAddition(hunk, anchors.places, around);
  const isBlank = old.every(({ text }) => text.trim() === "");
  for (const strategy of comparisons) {
    const isNearlyExact = strategy === "exact" || strategy === "line-endings";
    // Blank lines would match everywhere.
    if (isBlank && !isNearlyExact) break;
    const fits = narrow(findFits(hunk, strategy, around), anchors.places);
    if (fits.length === 0) continue;
    const chosen = hunk.hint && isNearlyExact ? chooseNearest(fits, hunk.hint, around) : fits;
    const [at] = chosen;
    if (at === undefined || chosen.length > 1) return { reason: "ambiguous", places: chosen };
    return nameFit(hunk, { at, strategy }, around);
  }
  if (isBlank) return { reason: "nowhere", places: [] };
  return placeShifted(hunk, anchors.places, around);
}

/** Finds a hunk whose lines are all indented otherwise in the same way, and indents it like the file. */
function placeShifted(
  hunk: Hunk,
  anchors: readonly number[],
  { file, from }: Surroundings,
): HunkPosition | Misfit {
  const old = oldLines(hunk).map(({ text }) => text);
  const block = old.map((text) => text.trim());
  const starts = findBlock(
    file.texts.map((text) => text.trim()),
    block,
  );
  const shifts = new Map<number, IndentationShift>();
  for (const at of starts.slice(0, maxShifts)) {
    const found = file.texts.slice(at, at + old.length);
    const shift = findShift(indentations(old), indentations(found));
    const isAtEnd = !hunk.isAtEnd || at + old.length === file.texts.length;
    if (shift !== undefined && at >= from && isAtEnd) shifts.set(at, shift);
  }
  const fits = narrow([...shifts.keys()], anchors);
  const [at] = fits;
  if (at === undefined) return { reason: "nowhere", places: [] };
  if (fits.length > 1 || starts.length > maxShifts) return { reason: "ambiguous", places: fits };
  const shift = shifts.get(at) as IndentationShift;
  const found = file.texts.slice(at, at + old.length);
  return { at, strategy: "indentation", isExact: false, hunk: adaptHunk(hunk, found, shift) };
}

/** Makes the changes of a hunk in the matched lines, so that what it does not change stays as the file has it. */
function adaptHunk(hunk: Hunk, file: readonly string[], shift?: IndentationShift): Hunk {
  const [old, now] = [oldLines(hunk), newLines(hunk)].map((lines) =>
    lines.map(({ text }) => toComparable(text, "line-endings")),
  ) as [string[], string[]];
  const adapted = transplant({ file, old, now, ...(shift !== undefined && { shift }) });
  let next = 0;
  const lines = hunk.lines.map((line) => {
    if (line.kind === "removed") return line;
    const text = adapted[next++] as string;
    return line.kind === "added" ? { ...line, text } : line;
  });
  return { ...hunk, lines };
}

const maxShifts = 1_000;

function indentations(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== "").map(indentationOf);
}

function nameFit(
  hunk: Hunk,
  { at, strategy }: Pick<HunkPosition, "at" | "strategy">,
  { file }: Surroundings,
): HunkPosition {
  const end = at + oldLines(hunk).length;
  if (strategy === "unicode") {
    const lines = file.texts.slice(at, end).map((text) => text.trimEnd());
    return { at, strategy, isExact: false, hunk: adaptHunk(hunk, lines) };
  }
  if (strategy !== "exact") return { at, strategy, isExact: false };
  const found = file.endings.slice(at, end);
  const isPlain = hasReturns(hunk) || found.every((ending) => ending === "\n" || ending === "");
  return { at, strategy: isPlain ? "exact" : "line-endings", isExact: true };
}

/** Lines without context go to the stated line, after their anchor, or to the end. */
function placeAddition(
  hunk: Hunk,
  anchors: readonly number[],
  { file, drift }: Surroundings,
): HunkPosition | Misfit {
  const exact = { strategy: "exact", isExact: true } as const;
  const count = file.texts.length;
  if (hunk.hint !== undefined) {
    // `-5,0` means after the fifth line; with a count, the hunk would begin with it.
    const at = hunk.hint.start - (hunk.hint.count === 0 ? 0 : 1) + drift;
    if (at > count) return { reason: "past-end", places: [] };
    return { at: Math.max(0, at), ...exact };
  }
  if (hunk.isAtEnd || hunk.anchors.length === 0) return { at: count, ...exact };
  const [anchor] = anchors;
  if (anchor === undefined || anchors.length > 1) return { reason: "ambiguous", places: anchors };
  return { at: anchor + 1, ...exact };
}

function findFits(hunk: Hunk, strategy: Comparison, around: Surroundings): number[] {
  const { file, comparable, from, saysEnd } = around;
  const old = oldLines(hunk);
  const count = file.texts.length;
  const block = old.map(({ text }) => toComparable(text, strategy));
  const lead = hunk.lines.findIndex(({ kind }) => kind !== "same");
  const isUnended = old.at(-1)?.isUnended === true;
  // A hunk without carriage returns does not define line endings, so all of them match.
  const form = strategy === "exact" && !hasReturns(hunk) ? "line-endings" : strategy;
  return comparable.find(block, form).filter((at) => {
    const end = at + block.length;
    if (at + Math.max(0, lead) < from) return false;
    if (hunk.isAtEnd && end !== count) return false;
    if (strategy !== "exact" || !saysEnd) return true;
    return isUnended === (end === count && file.endings[end - 1] === "");
  });
}

function hasReturns(hunk: Hunk): boolean {
  return hunk.lines.some(({ text }) => text.endsWith("\r"));
}

/** Keeps only the first match after each anchor. */
function narrow(fits: readonly number[], anchors: readonly number[]): readonly number[] {
  if (anchors.length === 0) return fits;
  const first = anchors.map((anchor, index) => {
    const end = anchors[index + 1] ?? Number.POSITIVE_INFINITY;
    return fits.find((at) => at >= anchor && at < end);
  });
  return first.filter((at) => at !== undefined);
}

/** Returns the match that the stated line means; several if it is ambiguous. */
function chooseNearest(
  fits: readonly number[],
  hint: LineHint,
  { drift }: Surroundings,
): readonly number[] {
  const stated = Math.max(0, hint.start - 1);
  const expected = stated + drift;
  const exact = [...new Set([stated, expected])].filter((at) => fits.includes(at));
  if (exact.length > 0) return exact;
  return [...new Set([...findNearest(fits, stated), ...findNearest(fits, expected)])];
}

function findNearest(fits: readonly number[], to: number): readonly number[] {
  const distance = fits.reduce(
    (minimum, at) => Math.min(minimum, Math.abs(at - to)),
    Number.POSITIVE_INFINITY,
  );
  return fits.filter((at) => Math.abs(at - to) === distance);
}
