import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const mostBytes = 256 * 1024 * 1024;

/** Reads a file of ours, if it is there. */
export function readPrivateFile(path: string): string | undefined {
  let fd: number;
  try {
    // Not to hang if somebody put a pipe there.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`${path} can't be read (${code}). Make it readable, or remove it.`, {
      cause: error,
    });
  }
  try {
    const stats = fstatSync(fd);
    if (stats.isFile() && stats.size <= mostBytes) return readFileSync(fd, "utf8");
    throw new Error(`${path} is not a file that Haft wrote. Remove it.`);
  } finally {
    closeSync(fd);
  }
}

/** Writes a file that only its owner reads, in one step: others see the old one or the new one. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = join(dirname(path), `.haft-${randomBytes(8).toString("hex")}.tmp`);
  try {
    const fd = openSync(temporary, "wx", 0o600);
    try {
      fchmodSync(fd, 0o600);
      writeFileSync(fd, content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Makes a directory, and those above it, that only their owner can enter. */
export function makePrivateDirectory(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) chmodSync(path, 0o700);
}
