import { readSync, writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";

/** The descriptor of the process on the layer on which it asks and gets answers. */
export const questionDescriptor = 4;

// Each message is preceded by its length.
const lengthBytes = 4;

/** Returns a message as it is sent. */
export function toFrame(message: unknown): Buffer {
  const content = serialize(message);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(content.length);
  return Buffer.concat([length, content]);
}

/** Returns a function that takes what arrives, in pieces, and reports each whole message. */
export function createFrameReader(onMessage: (message: unknown) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let have = 0;
  let wanted = lengthBytes;
  let isLength = true;
  return (piece) => {
    pieces.push(piece);
    have += piece.length;
    while (have >= wanted) {
      const all = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      const part = all.subarray(0, wanted);
      pieces = [all.subarray(wanted)];
      have -= wanted;
      wanted = isLength ? part.readUInt32LE() : lengthBytes;
      isLength = !isLength;
      if (isLength) onMessage(deserialize(part));
    }
  };
}

/** Sends a message over a descriptor, and blocks until the answer is there. `undefined` at its end. */
export function askAndWait(fd: number, message: unknown): unknown {
  const frame = toFrame(message);
  for (let sent = 0; sent < frame.length; ) sent += writeSync(fd, frame, sent);
  const length = readExactly(fd, lengthBytes);
  const content = length && readExactly(fd, length.readUInt32LE());
  return content && deserialize(content);
}

function readExactly(fd: number, length: number): Buffer | undefined {
  const content = Buffer.allocUnsafe(length);
  for (let have = 0; have < length; ) {
    const read = readSync(fd, content, have, length - have, null);
    if (read === 0) return undefined;
    have += read;
  }
  return content;
}
