import type { Stats } from "node:fs";

/** Times of the last change, in milliseconds since the epoch. */
export interface ChangeTimes {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

// A file system's clock ticks every few milliseconds, and every second or two on old ones, which are
// recognized by the lack of fractions.
const fineTickMs = 50;
const coarseTickMs = 2_100;

/**
 * Returns whether the latest change is old enough that another one would show: two changes within one
 * tick of the file system's clock look the same.
 */
export function isSettled(times: ChangeTimes, now: number = Date.now()): boolean {
  const tick = Number.isInteger(times.ctimeMs / 1000) ? coarseTickMs : fineTickMs;
  return Math.max(times.mtimeMs, times.ctimeMs) < now - tick;
}

/** Caches what was derived from a file or directory while that is unchanged. */
export class StampedCache<Value> {
  readonly #known = new Map<string, { readonly stamp: string; readonly value: Value }>();

  get(path: string, stats: Stats, make: () => Value): Value {
    const stamp = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.value;
    const value = make();
    // A change within the same clock tick would not show.
    if (isSettled(stats)) this.#known.set(path, { stamp, value });
    else this.#known.delete(path);
    return value;
  }
}
