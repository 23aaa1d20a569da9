import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";

const flushLater = promisify(fsync);

/** Flushes one of our files, or the names in a directory, off the event loop. */
export async function flushPath(path: string): Promise<void> {
  const fd = openSync(path, "r");
  try {
    await flushLater(fd);
  } finally {
    closeSync(fd);
  }
}
