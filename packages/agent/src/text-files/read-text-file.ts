import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

/** A text file, or the reason why it can't be used, as the rest of a sentence. */
export type ReadText =
  | { readonly text: string; readonly stat: Stats; readonly hasMark: boolean }
  | { readonly fault: string; readonly isMissing?: true };

/** How much to read. */
export interface ReadLimit {
  readonly maxBytes: number;
  /** Whether to return the beginning of a longer file instead of a fault. Default: false. */
  readonly takesHead?: boolean;
}

/**
 * Reads a UTF-8 text file without its byte order mark. Never blocks: pipes and devices are refused. Unlike
 * `readUntrustedFile` it follows links, and can return the beginning of a long file.
 */
export function readTextFile(path: string, { maxBytes, takesHead = false }: ReadLimit): ReadText {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return describeFailure(error as NodeJS.ErrnoException);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { fault: "is not a regular file" };
    const isHead = stat.size > maxBytes;
    if (isHead && !takesHead) {
      return { fault: `has ${stat.size} bytes; the maximum is ${maxBytes}. Shorten it` };
    }
    const bytes = readAll(descriptor, Math.min(stat.size, maxBytes));
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    // In stream mode a character that is cut at the end is dropped instead of an error.
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return { text: decoder.decode(bytes, { stream: isHead }), stat, hasMark };
  } catch (error) {
    if (error instanceof TypeError) return { fault: "is not UTF-8. Save it as UTF-8" };
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
    // The file was truncated in the meantime.
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function describeFailure({ code, message }: NodeJS.ErrnoException): ReadText {
  if (code === "ENOENT" || code === "ENOTDIR") return { fault: "does not exist", isMissing: true };
  if (code === "ELOOP") return { fault: "is a circular link" };
  if (code === "EACCES" || code === "EPERM")
    return { fault: "can't be read by this user: permission denied" };
  if (code === "ENXIO" || code === "EISDIR") return { fault: "is not a regular file" };
  return { fault: `can't be read: ${message}` };
}
