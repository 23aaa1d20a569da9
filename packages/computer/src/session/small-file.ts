import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isSystemError } from "../disk/system-error.ts";
import { storageError } from "./storage-error.ts";

const maxBytes = 64 * 1024 * 1024;

/** Reads one of our files; `undefined` if it does not exist. */
export function readSmallFile(path: string): string | undefined {
  let fd: number;
  try {
    // Must not hang on a pipe.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new Error(`${path} can't be read (${error.code}). Make it readable, or remove it.`, {
      cause: error,
    });
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > maxBytes) {
      throw new Error(`${path} is not a regular file, or is far too large. Remove it.`);
    }
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

/** Writes a file in one step and flushes it. Default mode: private to this user. */
export function replaceSmallFile(path: string, content: string | Uint8Array, mode = 0o600): void {
  const temporary = join(dirname(path), `.haft-${randomBytes(8).toString("hex")}.tmp`);
  try {
    writeDurably(temporary, content, mode);
    renameSync(temporary, path);
    syncPath(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes a private file of a session. A failure names the session's directory. */
export function writeSmallFile(
  path: string,
  content: string | Uint8Array,
  directory: string,
): void {
  try {
    replaceSmallFile(path, content);
  } catch (error) {
    throw storageError(error, directory);
  }
}

/** Flushes a directory's names to disk. */
export function syncPath(directory: string): void {
  const fd = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeDurably(path: string, content: string | Uint8Array, mode: number): void {
  const fd = openSync(path, "wx", mode);
  try {
    // Exactly this mode, whatever the umask.
    fchmodSync(fd, mode);
    writeFileSync(fd, content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
