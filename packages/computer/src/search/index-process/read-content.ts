import { isUtf8 } from "node:buffer";
import { closeSync, constants, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { isSystemError } from "../../disk/system-error.ts";

/** The content of a file, as ripgrep sees it. */
export type FileContent =
  | {
      readonly kind: "text";
      /** UTF-8, as far as it is valid; usable until the next file is read. */
      readonly bytes: Buffer;
      readonly isValid: boolean;
    }
  /** ripgrep takes it for binary before it finds anything. */
  | { readonly kind: "silent" }
  /** Only ripgrep itself can know how far it would search. */
  | { readonly kind: "unclear" }
  /** Only its start was read. */
  | { readonly kind: "large"; readonly bytes: Buffer };

/** A file that is open for reading. */
export interface OpenedFile {
  readonly descriptor: number;
  /** Whether it is the file at this path, without a link on the way. */
  isAt(path: string): boolean;
}

/** The largest file that is read as a whole. */
export const maxBytes: number = 8 * 1024 * 1024;

/** Opens a file while `use` runs; `undefined` if it is missing or can't be read. */
export function openFile<Result>(
  path: string,
  use: (file: OpenedFile) => Result,
): Result | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch {
    return undefined;
  }
  try {
    return use({ descriptor, isAt: (place) => findPlace(descriptor, path) === place });
  } catch (error) {
    // It is gone, or its disk fails: ripgrep skips it too.
    if (isSystemError(error)) return undefined;
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a whole file and makes it text. */
export function readContent({ descriptor }: OpenedFile): FileContent {
  let length = 0;
  for (;;) {
    if (length === scratch.length) {
      if (length > maxBytes) break;
      const larger = Buffer.allocUnsafeSlow(length * 2);
      scratch.copy(larger);
      scratch = larger;
    }
    const read = readSync(descriptor, scratch, length, scratch.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return judgeContent(scratch.subarray(0, length));
}

// Neither waits for a pipe nor follows a link that replaced the file since it was listed.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW;

let scratch = Buffer.allocUnsafeSlow(256 * 1024);

// ripgrep gives up on a file if it finds a NUL in the first block that it reads. Later blocks depend
// on how the reads fall.
const firstPiece = 65_536;
const firstTranscodedPiece = 512;

function judgeContent(raw: Buffer): FileContent {
  const isLarge = raw.length > maxBytes;
  const encoding = wideEncoding(raw);
  if (encoding !== undefined && isLarge) return { kind: "unclear" };
  const bytes = encoding === undefined ? withoutMark(raw) : transcode(raw, encoding);
  const nul = bytes.indexOf(0);
  if (nul !== -1) {
    const piece = encoding === undefined ? firstPiece : firstTranscodedPiece;
    return { kind: nul < piece ? "silent" : "unclear" };
  }
  if (isLarge) return { kind: "large", bytes };
  return { kind: "text", bytes, isValid: encoding !== undefined || isUtf8(bytes) };
}

function wideEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function transcode(bytes: Buffer, encoding: "utf-16le" | "utf-16be"): Buffer {
  return Buffer.from(new TextDecoder(encoding).decode(bytes));
}

function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

function findPlace(descriptor: number, path: string): string {
  if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${descriptor}`);
  return realpathSync.native(path);
}
