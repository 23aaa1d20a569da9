import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readPrivateFile, replacePrivateFile } from "../secrets/private-file.ts";

/** An exclusive lock on a data directory. */
export interface DataLock {
  release(): void;
}

const busy = 5;

/** The name of the locked file. */
export const lockFile = "server.lock";

/**
 * Locks a data directory for one server. The lock is the operating system's, held through SQLite since
 * Node has no file locks. It ends with the process, however that ends. Throws an error that names
 * the server that holds it.
 */
export function takeDataLock(directory: string): DataLock {
  const lock = openLock(directory);
  try {
    const since = new Date().toISOString();
    replacePrivateFile(holderPath(directory), `${process.pid} ${since} ${hostname()}\n`);
  } catch {
    // Only for people to read: on a full disk the lock still holds.
  }
  return { release: () => lock.close() };
}

// Processes that start together hold the lock for a moment to see whether it is free.
const checkMs = 1_000;

/** Throws if a server holds the lock of a data directory. */
export function requireUnlocked(directory: string): void {
  openLock(directory, checkMs).close();
}

function openLock(directory: string, timeout = 0): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(directory, lockFile), { timeout });
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode = 0, message } = error as Error & { readonly errcode?: number };
    throw new Error(
      errcode % 256 === busy
        ? describeHolder(directory)
        : `${directory} can't be locked (${message}). Make the directory and its server.lock writable for the user that runs Haft.`,
    );
  }
}

function holderPath(directory: string): string {
  return join(directory, "server.pid");
}

function describeHolder(directory: string): string {
  const [pid, since, host] = readPrivateFile(holderPath(directory))?.text.trim().split(" ") ?? [];
  const who = pid === undefined ? "" : `: process ${pid} on ${host}, since ${since}`;
  return `Another Haft server is running on ${directory}${who}. Use that server, stop it first, or choose another directory with --data.`;
}
