import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Named pipes in a private directory, made ahead of their use. They make standard streams real pipes:
 * Node would use sockets, through which `/dev/stdout` can't be opened.
 */
export interface PipePool {
  readonly directory: string;
  /** Reports how many are in use; more are made ahead of time. */
  noteUse(count: number): void;
  remove(): void;
}

const batch = 32;
const fewest = 12;

/** Makes the first pipes, and calls `onMade` with the total whenever there are more. */
export function createPipePool(onMade: (made: number) => void): PipePool {
  const directory = makeDirectory();
  let made = 0;
  let isMaking = false;
  let used = 0;
  const makeMore = (): void => {
    if (isMaking) return;
    isMaking = true;
    const names = Array.from({ length: batch }, (_, index) => join(directory, `${made + index}`));
    execFile("mkfifo", ["-m", "600", ...names], (error) => {
      isMaking = false;
      if (error !== null) throw error;
      made += batch;
      onMade(made);
      if (made - used < fewest) makeMore();
    });
  };
  makeMore();
  return {
    directory,
    noteUse: (count) => {
      used = Math.max(used, count);
      if (made - used < fewest) makeMore();
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function makeDirectory(): string {
  const prefix = "haft-broker-";
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch {
    // The working directory may not be accessible to the user we run as.
    return mkdtempSync(join("/tmp", prefix));
  }
}
