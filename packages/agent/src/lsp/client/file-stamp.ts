import { type Stats, statSync } from "node:fs";

/** Returns a string that changes with the file, or `undefined` if there is no file. */
export function stampOf(path: string): string | undefined {
  const stats = lookAt(path);
  return stats && toStamp(stats);
}

/** Returns a string that changes with the file, from its stat. */
export function toStamp({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}

/** Returns the stat of a path, following links. */
export function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
