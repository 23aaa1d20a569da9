import { read, readSync } from "node:fs";
import { promisify } from "node:util";

/** Up to here a synchronous read takes a fraction of a millisecond, and an asynchronous one far longer. */
export const maxConcurrent: number = 2 * 1024 * 1024;
const chunkSize = 4 * 1024 * 1024;

/** Reads a part of an open file: synchronously if it is small, else off the event loop. */
export function readBytes(
  fd: number,
  offset: number,
  length: number,
): Uint8Array | Promise<Uint8Array> {
  return length <= maxConcurrent ? readNow(fd, offset, length) : readLater(fd, offset, length);
}

function readNow(fd: number, offset: number, length: number): Uint8Array {
  const bytes = allocate(length);
  return cut(bytes, fill(bytes, fd, offset));
}

/** Fills a buffer from an offset and returns the number of bytes read. */
export function fill(bytes: Uint8Array, fd: number, offset: number): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

const readChunk = promisify(read);

async function readLater(fd: number, offset: number, length: number): Promise<Uint8Array> {
  const bytes = allocate(length);
  let filled = 0;
  while (filled < length) {
    const wanted = Math.min(chunkSize, length - filled);
    const { bytesRead } = await readChunk(fd, bytes, filled, wanted, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return cut(bytes, filled);
}

// Zeroing much memory takes longer than filling it, and the unfilled rest is cut off.
function allocate(length: number): Uint8Array {
  if (length <= 16 * 1024) return new Uint8Array(length);
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

// The file may have shrunk since its size was read.
function cut(bytes: Uint8Array, length: number): Uint8Array {
  return length === bytes.length ? bytes : bytes.slice(0, length);
}
