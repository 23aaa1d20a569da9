import { read, readSync } from "node:fs";
import { promisify } from "node:util";

// Up to here a synchronous read takes well under a millisecond, and an asynchronous one far longer.
const mostAtOnce = 256 * 1024;
const chunkSize = 4 * 1024 * 1024;

/** Reads a part of an open file: at once if it is small, else beside the event loop. */
export function readBytes(
  fd: number,
  offset: number,
  length: number,
): Uint8Array | Promise<Uint8Array> {
  return length <= mostAtOnce ? readNow(fd, offset, length) : readLater(fd, offset, length);
}

function readNow(fd: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return cut(bytes, filled);
}

const readChunk = promisify(read);

async function readLater(fd: number, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const wanted = Math.min(chunkSize, length - filled);
    const { bytesRead } = await readChunk(fd, bytes, filled, wanted, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return cut(bytes, filled);
}

// The file may have shrunk since its size was asked for.
function cut(bytes: Uint8Array, length: number): Uint8Array {
  return length === bytes.length ? bytes : bytes.slice(0, length);
}
