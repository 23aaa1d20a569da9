import { LineVotes } from "./line-votes.ts";

/** A part of a file that is similar to the wanted text. */
export interface NearMatch {
  /** The number of its first line, from 0. */
  readonly line: number;
  /** The lines of the file, as many as wanted, without line endings. */
  readonly lines: readonly string[];
  /** A few lines before and after, in case lines are missing or added. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const maxMatches = 3;
const margin = 2;

/**
 * Returns the parts of a file that contain most of these lines at the same distances. Every common
 * line votes for a position, in one pass over the file; if few do, words vote.
 */
export function findNearest(file: string, lines: readonly string[]): NearMatch[] {
  const votes = new LineVotes(file, lines);
  return chooseBest(votes, lines.length).map((place) => {
    const first = Math.max(0, place);
    const end = Math.min(first + lines.length, votes.lineCount);
    return {
      line: first,
      lines: votes.cut(first, end),
      before: votes.cut(Math.max(0, first - margin), first),
      after: votes.cut(end, Math.min(end + margin, votes.lineCount)),
    };
  });
}

/** Chooses the positions with most votes: no overlaps, none with less than half of the best. */
function chooseBest(votes: LineVotes, length: number): number[] {
  const chosen: number[] = [];
  const candidates = votes
    .atLeast(Math.max(1, votes.highestCount() / 2))
    .sort((one, other) => other.count - one.count);
  for (const { place } of candidates) {
    if (chosen.length === maxMatches) break;
    if (chosen.every((other) => Math.abs(other - place) >= length)) chosen.push(place);
  }
  return chosen;
}
