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

const maxBytes = 1024 * 1024;

/** The text of a file, and whether only its owner can read it. */
export interface PrivateFile {
  readonly text: string;
  readonly isPrivate: boolean;
}

/** Reads a small file that Haft wrote. Returns `undefined` if it does not exist. */
export function readPrivateFile(path: string): PrivateFile | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > maxBytes) {
      throw new Error(`${path} is not a file that Haft wrote. Move it away.`);
    }
    return { text: readFileSync(fd, "utf8"), isPrivate: (stats.mode & 0o077) === 0 };
  } finally {
    closeSync(fd);
  }
}

/** Creates a file atomically and flushes it to disk. Returns `false` if it already exists. */
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

/** Replaces a file atomically and flushes it to disk. */
export function replacePrivateFile(path: string, text: string): void {
  writeAside(path, text, (temporary) => renameSync(temporary, path));
}

function openToRead(path: string): number | undefined {
  try {
    // Non-blocking, so that a named pipe at this path does not hang the process.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new Error(
      `${path} can't be read (${code}). Make it readable for the user that runs Haft.`,
      {
        cause: error,
      },
    );
  }
}

function writeAside<T>(path: string, text: string, moveIn: (temporary: string) => T): T {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.haft-${randomBytes(8).toString("hex")}.tmp`);
  try {
    writeDurably(temporary, text);
    const result = moveIn(temporary);
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
    // Exactly this mode, whatever the umask of the process is.
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
