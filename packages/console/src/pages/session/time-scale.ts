/** A stretch of time. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Places times on a line from 0 to 1. Long times in which nothing ran are shortened. */
export interface TimeScale {
  place(time: number): number;
  /** The shortened times. */
  readonly gaps: readonly Stretch[];
}

// All gaps together take this share of the busy time, at most. Fewer gaps don't get more each.
const gapsShare = 0.5;
const minGaps = 8;

/** Creates the scale for stretches in which something ran. */
export function createTimeScale(stretches: readonly Stretch[]): TimeScale {
  const busy = joinStretches(stretches);
  const busyMs = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const maxGap = (Math.max(1, busyMs) * gapsShare) / Math.max(minGaps, busy.length - 1);
  const gaps: Stretch[] = [];
  const points: { time: number; at: number }[] = [];
  let at = 0;
  let before: Stretch | undefined;
  for (const stretch of busy) {
    if (before !== undefined) {
      const gap = { from: before.to, to: stretch.from };
      if (gap.to - gap.from > maxGap) gaps.push(gap);
      at += Math.min(maxGap, gap.to - gap.from);
    }
    points.push({ time: stretch.from, at });
    at += stretch.to - stretch.from;
    points.push({ time: stretch.to, at });
    before = stretch;
  }
  const total = at === 0 ? 1 : at;
  return {
    gaps,
    place: (time) => {
      let low = 0;
      let high = points.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((points[middle]?.time ?? 0) < time) low = middle + 1;
        else high = middle;
      }
      const next = points[low];
      const last = points[low - 1] ?? next;
      if (next === undefined || last === undefined) return 0;
      const part = next.time === last.time ? 0 : (time - last.time) / (next.time - last.time);
      const between = Math.min(1, Math.max(0, part)) * (next.at - last.at);
      return (last.at + between) / total;
    },
  };
}

function joinStretches(stretches: readonly Stretch[]): Stretch[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of stretches.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
