import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import type { Pin } from "./pin.ts";
import { isSystemError } from "./system-error.ts";

const swept = new Set<string>();
const temporaryName = /^\.haft-[0-9a-f]{16}\.tmp$/u;
const abandonedAfterMs = 10 * 60 * 1000;
const smallDirectory = 32 * 1024;

/**
 * Removes temporary files of killed processes. Looks once at each directory that this process writes
 * to, and skips files that may still be in use.
 */
export function sweepTemporaries(directory: Pin): void {
  const { dev, ino, birthtimeNs } = directory.stats;
  const key = `${dev}-${ino}-${birthtimeNs}`;
  if (swept.has(key) || directory.stats.size > smallDirectory) return;
  swept.add(key);
  try {
    for (const name of readdirSync(directory.reach)) {
      if (!temporaryName.test(name)) continue;
      const path = directory.at(name);
      if (Date.now() - lstatSync(path).mtimeMs > abandonedAfterMs) unlinkSync(path);
    }
  } catch (error) {
    // The write that led here succeeded; leftovers can wait.
    if (!isSystemError(error)) throw error;
  }
}
