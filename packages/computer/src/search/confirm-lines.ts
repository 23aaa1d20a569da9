import { closeSync, constants, readSync } from "node:fs";
import type { DiskCall } from "../disk/disk-call.ts";
import { maxBytesToRead } from "../paths/clamp-window.ts";
import { type ClippedLine, clipLine } from "./clip-line.ts";
import type { PrintedLine } from "./ripgrep-output.ts";

/** A line that was verified to be in the file. */
export interface ConfirmedLine extends ClippedLine {
  readonly line: number;
  readonly isMatch: boolean;
}

/** Lines that ripgrep printed for one file. */
export interface PrintedFile {
  /** Absolute, without links. */
  readonly path: Buffer;
  readonly lines: readonly PrintedLine[];
}

/**
 * Reads the lines of a file again through a pinned descriptor. ripgrep opens files by name: swapping
 * a link in and out at the right moment would make it show a file outside.
 */
export function confirmLines(
  { path, lines }: PrintedFile,
  lineLength: number,
  call: DiskCall,
): ConfirmedLine[] {
  const fd = openAt(path, call);
  if (fd === undefined) return [];
  try {
    const readAt = openContent(fd);
    // A character takes at most four bytes, and a carriage return may follow.
    const maxBytes = Math.max(Math.min(lineLength, maxCharacters) * 4 + 4, shownBytes);
    return lines.flatMap(({ line, offset, isMatch, text }) => {
      const found = readAt(offset, maxBytes);
      const end = found.indexOf(0x0a);
      const content = end === -1 ? found : found.subarray(0, end);
      if (!isHead(text, content)) return [];
      return [{ line, isMatch, ...clipLine(content.toString("utf8"), lineLength) }];
    });
  } catch {
    // It was removed meanwhile.
    return [];
  } finally {
    closeSync(fd);
  }
}

/** Number of bytes of each line that ripgrep prints; enough to identify the line. */
export const shownBytes: number = 256;

const maxCharacters = 1024 * 1024;

const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW;

function openAt(path: Buffer, { pinning }: DiskCall): number | undefined {
  const name = path.toString("utf8");
  // A name that is not UTF-8 can't be passed on; no other tool can name such a file either.
  if (!Buffer.from(name).equals(path)) return undefined;
  try {
    const plain = pinning.openPlain?.(name);
    if (plain !== undefined) {
      if (plain.landing === name) return plain.fd;
      closeSync(plain.fd);
      return undefined;
    }
    const pin = pinning.pin(name, { noFollow: true });
    try {
      return pin.landing === name && pin.stats.isFile() ? pin.open(flags) : undefined;
    } finally {
      pin.close();
    }
  } catch {
    return undefined;
  }
}

/** Reads from the text that ripgrep saw: after a byte order mark, and in UTF-8. */
function openContent(fd: number): (offset: number, length: number) => Buffer {
  const [first, second, third] = readBytes(fd, 0, 3);
  if (first === 0xff && second === 0xfe) return openWide(fd, "utf-16le");
  if (first === 0xfe && second === 0xff) return openWide(fd, "utf-16be");
  const mark = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  return (offset, length) => readBytes(fd, offset + mark, length);
}

function openWide(fd: number, encoding: string): (offset: number, length: number) => Buffer {
  const bytes = Buffer.from(new TextDecoder(encoding).decode(readBytes(fd, 0, maxBytesToRead)));
  return (offset, length) => bytes.subarray(offset, offset + length);
}

function readBytes(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

const cutOff = / \[\.\.\. omitted end of long (?:context )?line\]$/u;

function isHead(printed: Buffer, content: Buffer): boolean {
  const startsWith = (head: Buffer): boolean => content.subarray(0, head.length).equals(head);
  if (startsWith(printed)) return true;
  const remark = cutOff.exec(printed.toString("latin1"))?.[0].length ?? 0;
  // ripgrep counts characters as a reader sees them, which may have many bytes.
  return (
    remark > 0 && startsWith(printed.subarray(0, printed.length - remark).subarray(0, shownBytes))
  );
}
