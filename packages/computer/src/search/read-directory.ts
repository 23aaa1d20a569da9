import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import type { Pinning } from "../disk/pin.ts";
import { isSystemError } from "../disk/system-error.ts";
import { isSettled } from "./settled.ts";

/** The names in a directory. */
export interface DirectoryReading {
  readonly stats: Stats;
  readonly entries: readonly Dirent[];
  /**
   * Whether the names are certainly those of this directory. If not, they are if all directories above
   * it are unchanged afterwards: putting a link in its place changes its parent.
   */
  readonly isProven: boolean;
}

/** Whether a directory is only checked again afterwards, or pinned while it is read. */
export type ReadingPace = "quick" | "careful";

/**
 * Reads a directory at a path without links; `undefined` if there is none. Pinning takes as long as
 * reading, so it is done only where a change might not show.
 */
export function readDirectory(
  path: string,
  pinning: Pinning,
  pace: ReadingPace,
): DirectoryReading | undefined {
  try {
    const stats = lookAt(path);
    if (!stats?.isDirectory()) return undefined;
    if (pace === "careful" || !isSettled(stats)) return readPinned(path, pinning);
    return { stats, entries: readEntries(path), isProven: false };
  } catch (error) {
    if (isSystemError(error) && gone.has(error.code)) return undefined;
    throw error;
  }
}

/** Stats of a path, links not followed. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What distinguishes states of a directory. */
export type DirectoryStamp = Pick<Stats, "ino" | "dev" | "mtimeMs" | "ctimeMs">;

/** Whether it is the same directory with the same names, under the same name itself. */
export function isSameDirectory(seen: DirectoryStamp, now: Stats | undefined): boolean {
  return (
    now !== undefined &&
    now.ctimeMs === seen.ctimeMs &&
    now.mtimeMs === seen.mtimeMs &&
    now.ino === seen.ino &&
    now.dev === seen.dev
  );
}

function readPinned(path: string, pinning: Pinning): DirectoryReading | undefined {
  const pin = pinning.pin(path, { noFollow: true });
  try {
    if (pin.landing !== path || !pin.stats.isDirectory()) return undefined;
    const stats = statSync(pin.reach);
    return { stats, entries: readEntries(pin.reach), isProven: true };
  } finally {
    pin.close();
  }
}

function readEntries(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    // An unreadable directory shows nothing, as in ripgrep.
    if (isSystemError(error) && forbidden.has(error.code)) return [];
    throw error;
  }
}

const forbidden = new Set(["EACCES", "EPERM"]);
const gone = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ESTALE", ...forbidden]);
