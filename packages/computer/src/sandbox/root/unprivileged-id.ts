import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

// A range that nothing assigns: above the one for containers, below where numbers turn negative.
const firstId = 1_900_000_000;
const idCount = 200_000_000;

/**
 * Returns an unused user and group ID, the same for all sandboxes of a workspace; `undefined` if there
 * is none, as in some containers.
 */
export function findUnprivilegedId(roots: readonly string[]): number | undefined {
  const number = createHash("sha256").update(roots.join("\0")).digest().readUInt32BE() % idCount;
  const users = readRanges("/proc/self/uid_map");
  const groups = readRanges("/proc/self/gid_map");
  const highest = Math.min(...[users, groups].map(endOf)) - 2;
  return [firstId + number, highest - (number % 1000)].find(
    (id) => id >= lowestId && holds(users, id) && holds(groups, id),
  );
}

// Lower IDs belong to the system and to people.
const lowestId = 10_000;

interface IdRange {
  readonly first: number;
  readonly count: number;
}

function readRanges(path: string): readonly IdRange[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/u).map(Number))
    .flatMap(([first, , count]) =>
      first === undefined || count === undefined ? [] : [{ first, count }],
    );
}

function endOf(ranges: readonly IdRange[]): number {
  return Math.max(0, ...ranges.map(({ first, count }) => first + count));
}

function holds(ranges: readonly IdRange[], id: number): boolean {
  return ranges.some(({ first, count }) => id >= first && id < first + count);
}
