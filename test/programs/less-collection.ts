/**
 * Options of Node for the tests and the programs that they start. Node collects garbage in a young generation of
 * one megabyte at first, which takes a tenth of their processor time.
 */
export const lessCollection: string[] = ["--min-semi-space-size=16", "--max-semi-space-size=64"];
