import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";

const flushLater = promisify(fsync);

/** Waits, beside the event loop, until the disk has a file of ours, or the names in a directory. */
export async function flushPath(path: string): Promise<void> {
  const fd = openSync(path, "r");
  try {
    await flushLater(fd);
  } finally {
    closeSync(fd);
  }
}
