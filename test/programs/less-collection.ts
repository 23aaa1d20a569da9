/**
 * Options of Node for the tests and the programs that they start. Node collects garbage in a young generation of
 * one megabyte at first, which takes a tenth of their processor time. It also collects everything whenever 64 MB of
 * buffers were allocated and when a process rests for eight seconds: another tenth.
 */
export const lessCollection: string[] = [
  "--min-semi-space-size=16",
  "--max-semi-space-size=64",
  "--initial-old-space-size=256",
  "--external-memory-accounted-in-global-limit",
  "--no-memory-reducer",
];
