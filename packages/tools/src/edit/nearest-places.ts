import { LineVotes } from "./line-votes.ts";

/** A part of a file that has something of what was looked for. */
export interface NearPlace {
  /** The number of its first line in the file, counted from 0. */
  readonly line: number;
  /** The file's lines there, as many as were looked for, without line endings. */
  readonly lines: readonly string[];
  /** A few lines before and after these, because some may be missing or more. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const mostPlaces = 3;
const margin = 2;

/**
 * The places of a file that have most of these lines in the same distance from each other. Every
 * line that both have votes for a place, in one pass over the file; where few do, words vote.
 */
export function findNearest(file: string, lines: readonly string[]): NearPlace[] {
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

/** The places with most votes, none of which overlap, and none with less than half of the best. */
function chooseBest(votes: LineVotes, length: number): number[] {
  const chosen: number[] = [];
  const candidates = votes
    .atLeast(Math.max(1, votes.most() / 2))
    .sort((one, other) => other.count - one.count);
  for (const { place } of candidates) {
    if (chosen.length === mostPlaces) break;
    if (chosen.every((other) => Math.abs(other - place) >= length)) chosen.push(place);
  }
  return chosen;
}
