import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { syncPath } from "./small-file.ts";

/**
 * Adds a line to the end of a file and puts it onto the disk. It is one write, so that lines of
 * several processes do not mix. A link is not followed.
 */
export function appendLine(file: string, line: string, mode: number): void {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode);
  try {
    const { size } = fstatSync(fd);
    // A line that was cut off by a crash, or by an editor, must not swallow this one.
    const start = size > 0 && !endsLine(fd, size) ? "\n" : "";
    writeSync(fd, `${start}${line}\n`);
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
