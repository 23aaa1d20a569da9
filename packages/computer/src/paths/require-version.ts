import { alreadyExists, changedMeanwhile } from "./path-errors.ts";

/** Throws `conflict` unless a file is as the writer expects; `undefined` means no file. */
export function requireVersion(
  found: string | undefined,
  expected: string | undefined,
  asked: string,
): void {
  if (expected === undefined) return;
  if (expected === "absent") {
    if (found !== undefined) throw alreadyExists(asked);
  } else if (found !== expected) {
    throw changedMeanwhile(asked);
  }
}
