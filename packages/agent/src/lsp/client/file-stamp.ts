import { statSync } from "node:fs";

/** Tells one state of a file from another; `undefined` where there is none. */
export function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}
