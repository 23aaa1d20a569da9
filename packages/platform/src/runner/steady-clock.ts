/**
 * The machine's monotonic clock in milliseconds. Unlike `performance.now()` it is the same in every
 * process, so its times can be sent to workers.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
