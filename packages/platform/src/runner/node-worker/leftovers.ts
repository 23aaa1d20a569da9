import { openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { clearTimers } from "./timers.ts";

const activeResources = process.getActiveResourcesInfo.bind(process);

/** The reason that may be gone a moment later: Node closes what was just closed after its next callbacks. */
export const openResources = "resources that are still open";

/** Detects what an invocation left behind. */
export interface Leftovers {
  /** Removes leftovers. Returns what could not be removed; then nothing else may run here. */
  clear(): string | undefined;
}

/**
 * Records the state before the first invocation. Call it from the same kind of callback as `clear`.
 */
export function watchLeftovers(): Leftovers {
  const resources = activeResources().length;
  const scratch = [...new Set(["/tmp", "/var/tmp", "/dev/shm", process.env.HOME ?? "/tmp"])]
    .map(watchDirectory)
    .filter((directory) => directory !== undefined);
  const processes = watchProcesses();
  return {
    clear: () => {
      clearTimers();
      for (const directory of scratch) {
        if (!directory.clear()) return "files that can't be removed";
      }
      if (processes?.areMore()) return "processes";
      return activeResources().length > resources ? openResources : undefined;
    },
  };
}

// The size of a tmpfs directory depends on its number of entries. Its timestamps are too coarse.
function watchDirectory(path: string): { clear(): boolean } | undefined {
  const before = statSync(path, { throwIfNoEntry: false })?.size;
  if (before === undefined) return undefined;
  const kept = new Set(readdirSync(path));
  const isAsBefore = (): boolean => statSync(path, { throwIfNoEntry: false })?.size === before;
  return {
    clear: () => {
      if (isAsBefore()) return true;
      try {
        for (const name of readdirSync(path)) {
          if (!kept.has(name)) rmSync(join(path, name), { recursive: true, force: true });
        }
      } catch {
        return false;
      }
      return isAsBefore();
    },
  };
}

// In a sandbox the last process ID is the sandbox's own. As long as it stays the same,
// no process was started. Listing the processes each time would take far longer.
function watchProcesses(): { areMore(): boolean } | undefined {
  if (process.platform !== "linux") return undefined;
  const descriptor = openSync("/proc/loadavg", "r");
  const text = Buffer.alloc(128);
  const readLast = (): string => {
    const length = readSync(descriptor, text, 0, text.length, 0);
    return text.toString("latin1", text.lastIndexOf(0x20, length) + 1, length);
  };
  const before = new Set(listProcesses());
  let last = readLast();
  return {
    areMore: () => {
      const now = readLast();
      if (now === last) return false;
      last = now;
      return listProcesses().some((id) => !before.has(id));
    },
  };
}

function listProcesses(): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
}
