/**
 * The machine's steady clock, in milliseconds. Unlike `performance.now()` it is the same in every
 * process, so that a worker can be told a moment.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
