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
import { makeUniqueName } from "../session/unique-name.ts";
import type { Pin } from "./pin.ts";
import { isSystemError } from "./system-error.ts";

/** New content, written next to the file that it will replace. */
export interface TemporaryFile {
  readonly name: string;
  /** Open until `drop`. */
  readonly fd: number;
  /** Resolves when it is complete and, if requested, flushed; `undefined` if it already is. */
  readonly ready: Promise<void> | undefined;
  /** Marks it as renamed, so that there is nothing to remove. */
  moved(): void;
  /** Closes it, and removes it unless it was renamed; waits if it is still being written. */
  drop(): void | Promise<void>;
}

/** How to write a temporary file. */
export interface TemporaryOptions {
  /** The file that it will replace, whose mode and owner it takes. */
  readonly like?: BigIntStats | undefined;
  /** Permission bits. Default: those of the file. */
  readonly mode?: number | undefined;
  /** Flush it to disk. */
  readonly flush?: boolean;
  /** Write long content off the event loop. */
  readonly inTurns?: boolean;
}

/** Returns a name for a temporary file. */
export function nameTemporary(): string {
  return `.haft-${makeUniqueName()}.tmp`;
}

/** Writes content beside the file it will replace, with that file's mode and owner. */
export function writeTemporaryFile(
  directory: Pin,
  pieces: readonly Uint8Array[],
  options: TemporaryOptions,
): TemporaryFile {
  const name = nameTemporary();
  const mode = permissionsOf(options);
  const fd = openSync(
    directory.at(name),
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    mode ?? 0o666,
  );
  let isMoved = false;
  let isBusy = false;
  const close = (): void => {
    closeSync(fd);
    if (!isMoved) removeTemporary(directory, name);
  };
  let ready: Promise<void> | undefined;
  const settled = (): void => {
    isBusy = false;
  };
  try {
    resemble(fd, options.like, mode);
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const isLong = length > maxConcurrent && options.inTurns === true;
    if (!isLong) for (const piece of pieces) writeNow(fd, piece);
    ready = isLong ? writeLater(fd, pieces, options) : flush(fd, options);
    isBusy = ready !== undefined;
    // Callers that await it learn of a failure; this only prevents an unhandled rejection.
    ready?.then(settled, settled);
  } catch (error) {
    close();
    throw error;
  }
  return {
    name,
    fd,
    ready,
    moved: () => {
      isMoved = true;
    },
    drop: () => (isBusy ? ready?.then(close, close) : close()),
  };
}

// Off the event loop: a slow disk takes many milliseconds.
const flushLater = promisify(fsync);

function flush(fd: number, options: TemporaryOptions): Promise<void> | undefined {
  return options.flush ? flushLater(fd) : undefined;
}

const maxConcurrent = 2 * 1024 * 1024;
const chunkSize = 4 * 1024 * 1024;
const writeChunk = promisify(write);

function writeNow(fd: number, content: Uint8Array): void {
  for (let written = 0; written < content.length; ) written += writeSync(fd, content, written);
}

async function writeLater(
  fd: number,
  pieces: readonly Uint8Array[],
  options: TemporaryOptions,
): Promise<void> {
  for (const piece of pieces) {
    for (let written = 0; written < piece.length; ) {
      const left = Math.min(piece.length - written, chunkSize);
      written += (await writeChunk(fd, piece, written, left)).bytesWritten;
    }
  }
  await flush(fd, options);
}

function resemble(fd: number, like: BigIntStats | undefined, mode: number | undefined): void {
  if (mode === undefined) return;
  const made = fstatSync(fd, { bigint: true });
  if (like !== undefined && (made.uid !== like.uid || made.gid !== like.gid)) {
    try {
      fchownSync(fd, Number(like.uid), Number(like.gid));
    } catch (error) {
      // Only root may change owners; the content matters more than the owner.
      if (!isSystemError(error) || error.code !== "EPERM") throw error;
    }
  }
  if (Number(made.mode & 0o777n) !== mode) fchmodSync(fd, mode);
}

// Without set-user-id and set-group-id, which the kernel also clears on a write.
function permissionsOf({ like, mode }: TemporaryOptions): number | undefined {
  if (mode !== undefined) return mode & 0o777;
  return like === undefined ? undefined : Number(like.mode & 0o777n);
}

/** Removes a temporary file, if it is still there. */
export function removeTemporary(directory: Pin, name: string): void {
  try {
    unlinkSync(directory.at(name));
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
