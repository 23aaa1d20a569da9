import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  openSync,
  unlinkSync,
  write,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import type { Pin } from "./pin.ts";
import { isSystemError } from "./system-error.ts";

/** New content, whole and on the disk, that waits to take a file's place. */
export interface TemporaryFile {
  readonly name: string;
  /** Open until it is dropped. */
  readonly fd: number;
  /** Closes it, and removes it unless it has moved. */
  drop(): void;
}

/** Writes content beside the file it will replace, with that file's mode and owner. */
export async function writeTemporaryFile(
  directory: Pin,
  content: Uint8Array,
  like: BigIntStats | undefined,
): Promise<TemporaryFile> {
  const name = `.haft-${randomBytes(8).toString("hex")}.tmp`;
  const mode = like === undefined ? 0o666 : permissionsOf(like);
  const fd = openSync(
    directory.at(name),
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    mode,
  );
  const temporary = { name, fd, drop: () => dropFile(directory, name, fd) };
  try {
    await writeAll(fd, content);
    if (like !== undefined) resemble(fd, like);
    await syncToDisk(fd);
    return temporary;
  } catch (error) {
    temporary.drop();
    throw error;
  }
}

// Beside the event loop: a slow disk takes many milliseconds.
const syncToDisk = promisify(fsync);

const mostAtOnce = 256 * 1024;
const writeChunk = promisify(write);

async function writeAll(fd: number, content: Uint8Array): Promise<void> {
  let written = 0;
  while (written < content.length) {
    const left = Math.min(content.length - written, 4 * 1024 * 1024);
    written +=
      content.length <= mostAtOnce
        ? writeSync(fd, content, written, left)
        : (await writeChunk(fd, content, written, left)).bytesWritten;
  }
}

function resemble(fd: number, like: BigIntStats): void {
  const made = fstatSync(fd, { bigint: true });
  if (made.uid !== like.uid || made.gid !== like.gid) {
    try {
      fchownSync(fd, Number(like.uid), Number(like.gid));
    } catch (error) {
      // Only root may give files away; the content matters more than the owner.
      if (!isSystemError(error) || error.code !== "EPERM") throw error;
    }
  }
  if ((made.mode & 0o777n) !== (like.mode & 0o777n)) fchmodSync(fd, permissionsOf(like));
}

// Without set-user-id and set-group-id, which the kernel too takes from a file that is written to.
function permissionsOf(stats: BigIntStats): number {
  return Number(stats.mode & 0o777n);
}

function dropFile(directory: Pin, name: string, fd: number): void {
  closeSync(fd);
  try {
    unlinkSync(directory.at(name));
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
