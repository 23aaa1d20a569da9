import { type ByteLines, isSameBytes, sliceLines, splitBytes } from "./byte-lines.ts";
import { findHunks, type Hunk } from "./find-hunks.ts";
import { joinBytes } from "./join-bytes.ts";

/** Three versions of a file: a base and two versions derived from it. */
export interface MergeSides {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/** The merged content, or the conflicting lines of `ours`, from 1. */
export type Merged =
  | { readonly content: Uint8Array }
  | { readonly conflicts: readonly (readonly [first: number, last: number])[] };

/**
 * Applies the changes from `base` to `theirs` to `ours`. Changes of different lines are compatible,
 * even of adjacent lines; equal changes of both sides count once.
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
  // Lines inserted directly before a hunk stay before it; two insertions at one position conflict.
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
