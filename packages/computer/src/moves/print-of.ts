import { type BigIntStats, lstatSync } from "node:fs";
import { isSystemError } from "../disk/system-error.ts";
import { parentOf } from "../paths/path-parts.ts";

/**
 * Identifies an entry of a directory and, for a file, its content, without reading it. A rename does
 * not change it.
 */
export function printOf(stats: BigIntStats): string {
  const { ino, size, mtimeNs } = stats;
  return (stats.isFile() ? [ino, size, mtimeNs] : [ino]).map((part) => part.toString(36)).join("-");
}

/** Whether a kept file is as it was. A copy on another file system is known by its size. */
export function hasPrint(found: BigIntStats, print: string): boolean {
  const [ino, size] = print.split("-");
  if (printOf(found) === print) return true;
  return found.ino.toString(36) !== ino && found.size.toString(36) === size;
}

/** What is at a path, links not followed; `undefined` if nothing is, or no directory leads there. */
export function findEntry(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isSystemError(error) && nowhere.includes(error.code)) return undefined;
    throw error;
  }
}

const nowhere: readonly string[] = ["ENOTDIR", "ELOOP"];

/** Finds entries by paths that lead through no link. It remembers directories, so use it briefly. */
export class PlainEntries {
  readonly #isPlain = new Map<string, boolean>([["/", true]]);

  find(path: string): BigIntStats | undefined {
    return this.#isReached(parentOf(path)) ? findEntry(path) : undefined;
  }

  #isReached(directory: string): boolean {
    const known = this.#isPlain.get(directory);
    if (known !== undefined) return known;
    const isReached =
      this.#isReached(parentOf(directory)) && findEntry(directory)?.isDirectory() === true;
    this.#isPlain.set(directory, isReached);
    return isReached;
  }
}
