/**
 * Options of Node for the tests and the programs that they start. Node collects garbage in a young generation of
 * one megabyte at first, which takes a tenth of their processor time, and collects everything when a process rests
 * for eight seconds.
 */
export const lessCollection: string[] = [
  "--min-semi-space-size=16",
  "--max-semi-space-size=64",
  "--initial-old-space-size=192",
  "--no-memory-reducer",
];

/** The same for the processes that run tests, where Node would also collect everything after each 64 MB of buffers. */
export const leastCollection: string[] = [
  ...lessCollection,
  "--external-memory-accounted-in-global-limit",
];
