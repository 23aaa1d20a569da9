import { closeSync, constants, fsync, fsyncSync } from "node:fs";
import { promisify } from "node:util";
import type { Pin } from "./pin.ts";
import { isSystemError } from "./system-error.ts";

const syncLater = promisify(fsync);

/** Flushes the names in several directories, off the event loop. */
export async function syncDirectories(directories: readonly Pin[]): Promise<void> {
  const distinct = new Map(directories.map((pin) => [`${pin.stats.dev}-${pin.stats.ino}`, pin]));
  await Promise.all(Array.from(distinct.values(), syncDirectory));
}

/** Flushes the names in a directory, off the event loop. */
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

/** Flushes synchronously, for callers that must not yield. */
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
    // A directory may be writable but not readable.
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

// Some file systems cannot flush a directory.
function requireForgivable(error: unknown): void {
  if (!isSystemError(error) || error.code !== "EINVAL") throw error;
}
