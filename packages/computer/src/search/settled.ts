/** When something was last changed, in milliseconds since the epoch. */
export interface ChangeTimes {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

// A file system's clock ticks every few milliseconds, and every second or two on old ones, which
// show themselves by having no fractions.
const fineTickMs = 50;
const coarseTickMs = 2_100;

/**
 * Tells whether the latest change is so long ago that another one would show: two changes within
 * one tick of the file system's clock look the same.
 */
export function isSettled(times: ChangeTimes, now: number = Date.now()): boolean {
  const tick = Number.isInteger(times.ctimeMs / 1000) ? coarseTickMs : fineTickMs;
  return Math.max(times.mtimeMs, times.ctimeMs) < now - tick;
}
