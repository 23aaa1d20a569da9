import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

/** A text file, or why it can't be used, as the rest of a sentence. */
export type ReadText =
  | { readonly text: string; readonly stat: Stats; readonly hasMark: boolean }
  | { readonly fault: string; readonly isMissing?: true };

/** How much is read. */
export interface ReadLimit {
  readonly mostBytes: number;
  /** Whether the head of a longer file is taken; else it is none that can be used. */
  readonly takesHead?: boolean;
}

/**
 * Reads a text file in UTF-8, without the mark that some editors put first. Never waits: a pipe or a
 * device is no file.
 */
export function readTextFile(path: string, { mostBytes, takesHead = false }: ReadLimit): ReadText {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return describeFailure(error as NodeJS.ErrnoException);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { fault: "is no file" };
    const isHead = stat.size > mostBytes;
    if (isHead && !takesHead) {
      return { fault: `has ${stat.size} bytes, and ${mostBytes} are the most: shorten it` };
    }
    const bytes = readAll(descriptor, Math.min(stat.size, mostBytes));
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    // As a stream, the beginning of a character at the end is left out and no fault.
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return { text: decoder.decode(bytes, { stream: isHead }), stat, hasMark };
  } catch (error) {
    if (error instanceof TypeError) return { fault: "is not in UTF-8: save it as UTF-8" };
    return describeFailure(error as NodeJS.ErrnoException);
  } finally {
    closeSync(descriptor);
  }
}

function readAll(descriptor: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, null);
    // It got shorter meanwhile.
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function describeFailure({ code, message }: NodeJS.ErrnoException): ReadText {
  if (code === "ENOENT" || code === "ENOTDIR") return { fault: "is not there", isMissing: true };
  if (code === "ELOOP") return { fault: "is a link that leads in circles" };
  if (code === "EACCES" || code === "EPERM") return { fault: "may not be read by this user" };
  if (code === "ENXIO" || code === "EISDIR") return { fault: "is no file" };
  return { fault: `can't be read: ${message}` };
}
