import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Named pipes in a private directory, made ahead of their use. Standard streams are real pipes then:
 * of a socket, which is what Node would make, `/dev/stdout` can't be opened.
 */
export interface PipePool {
  readonly directory: string;
  /** Says that so many are in use by now; more are made in time. */
  noteUse(count: number): void;
  remove(): void;
}

const batch = 32;
const fewest = 12;

/** Makes the first pipes, and tells whenever there are more: how many were made so far. */
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
    // The directory of the user who started us need not be open to whom we run as.
    return mkdtempSync(join("/tmp", prefix));
  }
}
