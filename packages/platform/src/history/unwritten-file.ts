import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { NewInvocation } from "./history.ts";

/** A file for rows that the store did not take, so that they outlive this process. */
export interface UnwrittenFile {
  /** Adds a row, onto the disk. Throws if there is no room. */
  add(row: NewInvocation): void;
  /** Forgets every row: the store has them now. */
  clear(): void;
  /** Closes the file, and removes it if it holds nothing. */
  close(): void;
}

const pattern = /^unrecorded-([a-f0-9]{24})\.jsonl$/u;

// Set aside at the start: where the disk is full, this much can be written all the same.
const reservedBytes = 1024 * 1024;
const blank = Buffer.alloc(reservedBytes, "\n");

/** Creates the file of a process in its data directory. */
export function createUnwrittenFile(directory: string, processId: string): UnwrittenFile {
  const path = toPath(directory, processId);
  const fd = openSync(path, "wx", 0o600);
  let end = 0;
  const write = (bytes: Buffer, at: number): void => {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(fd, bytes, done, bytes.length - done, at + done);
    }
    fsyncSync(fd);
  };
  try {
    write(blank, 0);
  } catch (error) {
    closeSync(fd);
    rmSync(path, { force: true });
    throw error;
  }
  return {
    add: (row) => {
      const line = Buffer.from(`${JSON.stringify(row)}\n`);
      write(line, end);
      end += line.length;
    },
    clear: () => {
      // In place, so that the room stays reserved.
      for (let at = 0; at < end; at += blank.length) {
        write(blank.subarray(0, Math.min(blank.length, end - at)), at);
      }
      end = 0;
    },
    close: () => {
      closeSync(fd);
      if (end === 0) rmSync(path, { force: true });
    },
  };
}

/** The processes that left a file in a data directory. */
export function listUnwrittenFiles(directory: string): readonly string[] {
  return readdirSync(directory).flatMap((name) => pattern.exec(name)?.[1] ?? []);
}

/** The rows in the file of a process. A line that was cut off when it was written is left out. */
export function readUnwrittenFile(directory: string, processId: string): readonly NewInvocation[] {
  const lines = readFileSync(toPath(directory, processId), "utf8").split("\n");
  return lines.flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as NewInvocation];
    } catch {
      return [];
    }
  });
}

/** Removes the file of a process. */
export function removeUnwrittenFile(directory: string, processId: string): void {
  rmSync(toPath(directory, processId), { force: true });
}

function toPath(directory: string, processId: string): string {
  return join(directory, `unrecorded-${processId}.jsonl`);
}
