import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { removeTree } from "./remove-tree.ts";

/** A directory that one build uses exclusively until it is released. */
export interface BuildSlot {
  readonly directory: string;
  /**
   * Empties the directory and gives it to the next build. Resolves when its contents are removed.
   */
  release(): Promise<void>;
}

/** A fixed set of build directories. */
export interface BuildSlots {
  /** Waits for a free directory. */
  take(signal?: AbortSignal): Promise<BuildSlot>;
  /** Removes all directories. Call it when no build is running. */
  remove(): Promise<void>;
}

/**
 * Creates a fixed number of build directories. They stay the same while the server runs, so that the
 * sandbox is probed once per directory and not at every build.
 */
export function createBuildSlots(directory: string, count: number): BuildSlots {
  const all = Array.from({ length: count }, (_, index) =>
    join(directory, `${process.pid}.${index + 1}`),
  );
  const free = [...all];
  const waiting: ((path: string) => void)[] = [];
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const swept = sweep(directory);
  for (const path of free) mkdirSync(path, { recursive: true, mode: 0o700 });

  const open = (path: string): BuildSlot => {
    let held = true;
    return {
      directory: path,
      release: async () => {
        if (!held) return;
        held = false;
        const leftovers = empty(path);
        const next = waiting.shift();
        if (next === undefined) free.push(path);
        else next(path);
        await removeTree(leftovers);
      },
    };
  };

  return {
    remove: async () => {
      await swept;
      for (const path of all) await removeTree(path);
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

/** Removes directories that killed servers left behind. */
async function sweep(directory: string): Promise<void> {
  const abandoned = readdirSync(directory).filter((name) => {
    const pid = Number.parseInt(name, 10);
    return pid === process.pid || !isAlive(pid);
  });
  // Renamed first, so that new directories can take their names at once.
  const aside = abandoned.map((name) => moveAside([join(directory, name)], directory));
  for (const path of aside) await removeTree(path);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// The directory itself stays, because sandboxes are started with it mounted. Its contents are moved
// out first, so that no build waits until the files of another are removed.
function empty(slot: string): string {
  return moveAside(
    readdirSync(slot).map((name) => join(slot, name)),
    dirname(slot),
  );
}

function moveAside(paths: readonly string[], directory: string): string {
  const aside = mkdtempSync(join(directory, "removed-"));
  for (const path of paths) {
    // Moving a directory takes write permission on it.
    if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
    renameSync(path, join(aside, basename(path)));
  }
  return aside;
}
