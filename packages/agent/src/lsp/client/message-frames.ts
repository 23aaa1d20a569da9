/** Handlers for the output of a server. */
export interface FrameListener {
  /** Receives the body of a message. */
  message(body: string): void;
  /** Receives anything else, such as what a library prints. */
  noise(text: string): void;
}

const maxBodyBytes = 64 * 1024 * 1024;
const maxHeaderBytes = 4_096;
const lengthHeader = /content-length:[ \t]*(\d+)/iu;

/** Extracts the messages from a server's output, even between other text. Throws if a message is too long. */
export function createFrameReader(listener: FrameListener): (bytes: Uint8Array) => void {
  let held: Buffer = Buffer.alloc(0);
  let body: { readonly length: number; readonly parts: Uint8Array[]; has: number } | undefined;

  const takeBody = (bytes: Buffer): Buffer => {
    if (body === undefined) return bytes;
    const taken = bytes.subarray(0, body.length - body.has);
    body.parts.push(taken);
    body.has += taken.length;
    if (body.has === body.length) {
      const text = Buffer.concat(body.parts).toString("utf8");
      body = undefined;
      listener.message(text);
    }
    return bytes.subarray(taken.length);
  };

  const takeHeader = (bytes: Buffer): Buffer | undefined => {
    const text = bytes.toString("latin1");
    const length = lengthHeader.exec(text);
    if (length === null) {
      if (bytes.length <= maxHeaderBytes) return undefined;
      // The end may be an incomplete header.
      const cut = bytes.length - maxHeaderBytes / 2;
      listener.noise(bytes.toString("utf8", 0, cut));
      return bytes.subarray(cut);
    }
    const end = text.indexOf("\r\n\r\n", length.index);
    if (end < 0) {
      if (text.length - length.index <= maxHeaderBytes) return undefined;
      listener.noise(bytes.toString("utf8", 0, length.index + length[0].length));
      return bytes.subarray(length.index + length[0].length);
    }
    const bodyLength = Number(length[1]);
    if (bodyLength > maxBodyBytes) {
      throw new Error(`A message of ${bodyLength} bytes exceeds the maximum of ${maxBodyBytes}.`);
    }
    const before = bytes.toString("utf8", 0, length.index).replace(/content-type:[^\n]*\n$/iu, "");
    if (before.trim() !== "") listener.noise(before);
    body = { length: bodyLength, parts: [], has: 0 };
    return bytes.subarray(end + 4);
  };

  return (bytes) => {
    let rest: Buffer | undefined = Buffer.concat([held, bytes]);
    held = Buffer.alloc(0);
    for (;;) {
      rest = takeBody(rest);
      if (body !== undefined) return;
      const next = takeHeader(rest);
      if (next === undefined) {
        // A copy: the buffer may be reused, and may be part of a larger one.
        held = Buffer.from(rest);
        return;
      }
      rest = next;
    }
  };
}

/** Encodes a message with its header. */
export function toFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "ascii"), body]);
}
