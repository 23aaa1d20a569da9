import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { stampOf } from "./file-stamp.ts";

/** A file that is new, changed or gone since the last look; the numbers are the protocol's. */
export interface FileEvent {
  readonly path: string;
  readonly type: 1 | 2 | 3;
}

/** What is looked at. */
export interface FileScanOptions {
  readonly directory: string;
  /** Whether a file of this name is worth telling of. */
  isWatched(name: string): boolean;
  /** How many files at most; 20,000 unless said. */
  readonly limit?: number;
}

// So long the process may do nothing else.
const sliceMs = 5;

/**
 * Looks at a directory anew at every call, and tells what has changed; at the first nothing has. Unlike
 * watching, what was written before the call is never missed.
 */
export function createFileScan({
  directory,
  isWatched,
  limit = 20_000,
}: FileScanOptions): () => Promise<readonly FileEvent[]> {
  let known: ReadonlyMap<string, string> | undefined;
  let pending: Promise<readonly FileEvent[]> | undefined;

  const look = async (): Promise<readonly FileEvent[]> => {
    const found = await scan({ directory, isWatched, limit });
    const before = known ?? found;
    known = found;
    // Past the limit it is chance which files were seen.
    if (found.size >= limit) return [];
    return [
      ...[...found].flatMap(([path, stamp]): FileEvent[] => {
        const last = before.get(path);
        return last === stamp ? [] : [{ path, type: last === undefined ? 1 : 2 }];
      }),
      ...[...before.keys()].flatMap((path): FileEvent[] =>
        found.has(path) ? [] : [{ path, type: 3 }],
      ),
    ];
  };

  return () => {
    // One after another, so that every change is told once.
    const turn = (pending ?? Promise.resolve([])).then(look, look);
    pending = turn;
    return turn;
  };
}

async function scan(options: Required<FileScanOptions>): Promise<ReadonlyMap<string, string>> {
  const { directory, isWatched, limit } = options;
  const found = new Map<string, string>();
  const open = [directory];
  let since = performance.now();
  for (let next = open.pop(); next !== undefined && found.size < limit; next = open.pop()) {
    for (const entry of listEntries(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        if (!isSkipped(entry.name)) open.push(path);
      } else if (isWatched(entry.name)) {
        const stamp = stampOf(path);
        if (stamp !== undefined) found.set(path, stamp);
      }
      if (performance.now() - since > sliceMs) {
        await setImmediate();
        since = performance.now();
      }
    }
  }
  return found;
}

// Packages change when they are installed, and then the server is started anew.
function isSkipped(name: string): boolean {
  return name === "node_modules" || name.startsWith(".");
}

function listEntries(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
