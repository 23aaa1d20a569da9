import { joinBytes } from "../text/join-bytes.ts";
import { type ByteLines, isSameBytes, sliceLines, splitBytes } from "./byte-lines.ts";
import { findHunks, type Hunk } from "./find-hunks.ts";

/** Three versions of a file: two that came of one. */
export interface MergeSides {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/** Both sides' changes in one, or the lines of `ours`, counted from 1, where they meet. */
export type Merged =
  | { readonly content: Uint8Array }
  | { readonly conflicts: readonly (readonly [first: number, last: number])[] };

/**
 * Makes in `ours` the changes that lead from `base` to `theirs`. Changes of different lines go
 * together, also if the lines are neighbours; what both changed alike counts once.
 */
export function mergeLines(sides: MergeSides): Merged {
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(splitBytes) as [
    ByteLines,
    ByteLines,
    ByteLines,
  ];
  const ourHunks = findHunks(base.keys, ours.keys);
  const conflicts: (readonly [number, number])[] = [];
  const pieces: Uint8Array[] = [];
  let [at, next, shift] = [0, 0, 0];
  for (const hunk of findHunks(base.keys, theirs.keys)) {
    for (; isBefore(ourHunks[next], hunk); next++) shift += growth(ourHunks[next] as Hunk);
    const met = findMet(ourHunks, next, hunk);
    if (met.some((our) => isAlike({ our, ours }, { hunk, theirs }))) continue;
    conflicts.push(...met.map(toLines));
    pieces.push(sliceLines(ours, at, hunk.start + shift));
    pieces.push(sliceLines(theirs, hunk.newStart, hunk.newEnd));
    at = hunk.end + shift;
  }
  if (conflicts.length > 0) return { conflicts };
  pieces.push(sliceLines(ours, at, ours.keys.length));
  return { content: joinBytes(pieces) };
}

function isBefore(our: Hunk | undefined, hunk: Hunk): our is Hunk {
  if (our === undefined || our.end > hunk.start) return false;
  // What was put in right before lines stays before them; at the place of an addition it meets it.
  return our.end < hunk.start || our.start < our.end || hunk.start < hunk.end;
}

function growth({ start, end, newStart, newEnd }: Hunk): number {
  return newEnd - newStart - (end - start);
}

function findMet(ourHunks: readonly Hunk[], from: number, hunk: Hunk): Hunk[] {
  const met: Hunk[] = [];
  for (let index = from; index < ourHunks.length; index++) {
    const our = ourHunks[index] as Hunk;
    if (our.start > hunk.end) break;
    if (meets(our, hunk)) met.push(our);
  }
  return met;
}

function meets(a: Hunk, b: Hunk): boolean {
  if (a.start === a.end && b.start === b.end) return a.start === b.start;
  return a.start < b.end && b.start < a.end;
}

function isAlike(
  { our, ours }: { readonly our: Hunk; readonly ours: ByteLines },
  { hunk, theirs }: { readonly hunk: Hunk; readonly theirs: ByteLines },
): boolean {
  return (
    our.start === hunk.start &&
    our.end === hunk.end &&
    isSameBytes(
      sliceLines(ours, our.newStart, our.newEnd),
      sliceLines(theirs, hunk.newStart, hunk.newEnd),
    )
  );
}

function toLines({ newStart, newEnd }: Hunk): readonly [number, number] {
  return [newStart + 1, Math.max(newEnd, newStart + 1)];
}
