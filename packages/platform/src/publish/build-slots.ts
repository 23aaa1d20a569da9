import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "./remove-tree.ts";

/** A directory of one build's own, while it lasts. */
export interface BuildSlot {
  readonly directory: string;
  /** Empties it and gives it to whoever waits. */
  release(): void;
}

/** Directories for builds. */
export interface BuildSlots {
  /** Waits until one is free. */
  take(signal?: AbortSignal): Promise<BuildSlot>;
  /** Removes them all, when nobody builds any more. */
  remove(): void;
}

/**
 * Makes a fixed number of directories for builds. They stay the same for as long as the server runs:
 * what confines programs is tried out for each of them once, not at every build.
 */
export function createBuildSlots(directory: string, count: number): BuildSlots {
  const all = Array.from({ length: count }, (_, index) =>
    join(directory, `${process.pid}.${index + 1}`),
  );
  const free = [...all];
  const waiting: ((path: string) => void)[] = [];
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  sweep(directory);
  for (const path of free) mkdirSync(path, { recursive: true, mode: 0o700 });

  const open = (path: string): BuildSlot => {
    let held = true;
    return {
      directory: path,
      release: () => {
        if (!held) return;
        held = false;
        empty(path);
        const next = waiting.shift();
        if (next === undefined) free.push(path);
        else next(path);
      },
    };
  };

  return {
    remove: () => {
      for (const path of all) removeTree(path);
    },
    take: async (signal) => {
      signal?.throwIfAborted();
      const path = free.shift();
      if (path !== undefined) return open(path);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      waiting.push(resolve);
      const leave = (): void => {
        const at = waiting.indexOf(resolve);
        if (at >= 0) waiting.splice(at, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      try {
        return open(await promise);
      } finally {
        signal?.removeEventListener("abort", leave);
      }
    },
  };
}

/** Removes what servers that were killed left behind. */
function sweep(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = Number.parseInt(name, 10);
    if (pid === process.pid || !isAlive(pid)) removeTree(join(directory, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// The directory itself stays: it is mounted where sandboxes are started from.
function empty(directory: string): void {
  for (const name of readdirSync(directory)) removeTree(join(directory, name));
}
