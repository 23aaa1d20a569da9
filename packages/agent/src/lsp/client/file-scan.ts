import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ToolError } from "@haft/contract";
import { remedy } from "../remedy.ts";
import { lookAt, toStamp } from "./file-stamp.ts";

/** A file that was created, changed or deleted since the last scan. The numbers are those of the protocol. */
export interface FileEvent {
  readonly path: string;
  readonly type: 1 | 2 | 3;
}

/** Options of `createFileScan`. */
export interface FileScanOptions {
  readonly directory: string;
  /** Tells whether the server wants to know of a file of this name. */
  isWatched(name: string): boolean;
  /** Maximum number of files. Default: 20,000. */
  readonly limit?: number;
}

// How long a scan may block the event loop.
const sliceMs = 5;

/**
 * Returns a function that scans a directory and reports what has changed since the last call. Unlike
 * file watching, it never misses a change before the call. Throws `unavailable` if a pipe or a device
 * has the name of a watched file.
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
    // Above the limit, which files were seen is arbitrary.
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
    // One scan at a time, so that every change is reported once.
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
        const stats = lookAt(path);
        if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) throw endless(path);
        if (stats !== undefined) found.set(path, toStamp(stats));
      }
      if (performance.now() - since > sliceMs) {
        await setImmediate();
        since = performance.now();
      }
    }
  }
  return found;
}

function endless(path: string): ToolError {
  return new ToolError(
    "unavailable",
    `${path} is a pipe, a socket or a device, which would block a language server forever. Remove it.`,
    { remedy },
  );
}

// Packages change only when they are installed, which restarts the server.
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
