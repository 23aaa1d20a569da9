import { closeSync, constants, fsync, fsyncSync } from "node:fs";
import { promisify } from "node:util";
import type { Pin } from "./pin.ts";
import { isSystemError } from "./system-error.ts";

const syncLater = promisify(fsync);

/** Waits, beside the event loop, until the disk has the names in directories. */
export async function syncDirectories(directories: readonly Pin[]): Promise<void> {
  const distinct = new Map(directories.map((pin) => [`${pin.stats.dev}-${pin.stats.ino}`, pin]));
  await Promise.all(Array.from(distinct.values(), syncDirectory));
}

/** Waits, beside the event loop, until the disk has a directory's names. */
export async function syncDirectory(directory: Pin): Promise<void> {
  const fd = openToSync(directory);
  if (fd === undefined) return;
  try {
    await syncLater(fd);
  } catch (error) {
    requireForgivable(error);
  } finally {
    closeSync(fd);
  }
}

/** The same at once, for what must not wait. */
export function syncDirectoryNow(directory: Pin): void {
  const fd = openToSync(directory);
  if (fd === undefined) return;
  try {
    fsyncSync(fd);
  } catch (error) {
    requireForgivable(error);
  } finally {
    closeSync(fd);
  }
}

function openToSync(directory: Pin): number | undefined {
  try {
    return directory.open(constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    // A directory that may be written but not read.
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

// Some file systems cannot do it for a directory.
function requireForgivable(error: unknown): void {
  if (!isSystemError(error) || error.code !== "EINVAL") throw error;
}
