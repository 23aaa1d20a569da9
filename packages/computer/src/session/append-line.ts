import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeSystemError } from "../disk/system-error.ts";
import { syncPath } from "./small-file.ts";

/** A line that other processes can see, but that may not be flushed to disk yet. */
export interface AppendedLine {
  /** The file, still open. */
  readonly fd: number;
  /** Size of the file before, in bytes. */
  readonly size: number;
  /** Size now, if no other process appends. */
  readonly end: number;
}

/**
 * Appends a line to a file in one write, so that lines of several processes do not mix. A link is
 * not followed. The caller closes the file.
 */
export function openAppended(
  file: string,
  line: string,
  { mode, knownEnd }: { readonly mode: number; readonly knownEnd?: number | undefined },
): AppendedLine {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode);
  try {
    const { size } = fstatSync(fd);
    // A line that was cut off by a crash or an editor must not swallow this one.
    const start = size === 0 || size === knownEnd || endsLine(fd, size) ? "" : "\n";
    const bytes = Buffer.from(`${start}${line}\n`);
    if (writeSync(fd, bytes) < bytes.length) throw makeSystemError("ENOSPC", "write");
    return { fd, size, end: size + bytes.length };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Appends a line to a file and flushes it to disk. */
export function appendLine(file: string, line: string, mode: number): void {
  const { fd, size } = openAppended(file, line, { mode });
  try {
    fsyncSync(fd);
    if (size === 0) syncPath(dirname(file));
  } finally {
    closeSync(fd);
  }
}

function endsLine(fd: number, size: number): boolean {
  const last = new Uint8Array(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
