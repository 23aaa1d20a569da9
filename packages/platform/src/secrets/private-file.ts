import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const mostBytes = 1024 * 1024;

/** What stands in a file, and whether only its owner can read it. */
export interface PrivateFile {
  readonly text: string;
  readonly isPrivate: boolean;
}

/** Reads a small file of ours; `undefined` if it is not there. */
export function readPrivateFile(path: string): PrivateFile | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > mostBytes) {
      throw new Error(`${path} is not a file that Haft wrote. Move it away.`);
    }
    return { text: readFileSync(fd, "utf8"), isPrivate: (stats.mode & 0o077) === 0 };
  } finally {
    closeSync(fd);
  }
}

/** Writes a file that is not there yet, whole and onto the disk; `false` if somebody was faster. */
export function createPrivateFile(path: string, text: string): boolean {
  return writeAside(path, text, (temporary) => {
    try {
      linkSync(temporary, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
  });
}

/** Puts new content in a file's place in one step, and onto the disk. */
export function replacePrivateFile(path: string, text: string): void {
  writeAside(path, text, (temporary) => renameSync(temporary, path));
}

function openToRead(path: string): number | undefined {
  try {
    // Not to hang if somebody put a pipe there.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new Error(`${path} can't be read (${code}). Make it readable for who runs Haft.`, {
      cause: error,
    });
  }
}

function writeAside<T>(path: string, text: string, place: (temporary: string) => T): T {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.haft-${randomBytes(8).toString("hex")}.tmp`);
  try {
    writeDurably(temporary, text);
    const result = place(temporary);
    syncDirectory(directory);
    return result;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    // Exactly this, whatever the process keeps from new files.
    fchmodSync(fd, 0o600);
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncDirectory(directory: string): void {
  const fd = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
