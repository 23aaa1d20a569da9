import type { Readable } from "node:stream";

/** An object from `git cat-file --batch`. */
export interface ReadObject {
  readonly hash: string;
  readonly type: string;
  readonly content: Buffer;
}

/** An object is larger than the reader's limit. */
export class LargeObject extends Error {
  readonly hash: string;
  readonly size: number;

  constructor(hash: string, size: number) {
    super(`The object ${hash} has ${size} bytes.`);
    this.hash = hash;
    this.size = size;
  }
}

/** Parses the output of `git cat-file --batch`, one object at a time. */
export async function* readObjects(
  output: Readable,
  options: { readonly maxBytes: number },
): AsyncGenerator<ReadObject> {
  const reader = createReader(output);
  for (;;) {
    const header = await reader.readLine();
    if (header === undefined) return;
    const [hash = "", type = "", size = ""] = header.split(" ");
    if (size === "") throw new Error(`git has no object for ${header}.`);
    const length = Number(size);
    if (length > options.maxBytes) throw new LargeObject(hash, length);
    const content = await reader.readBytes(length + 1);
    yield { hash, type, content: content.subarray(0, length) };
  }
}

interface Reader {
  readLine(): Promise<string | undefined>;
  readBytes(count: number): Promise<Buffer>;
}

const newline = 10;
const maxHeaderBytes = 65_536;

function createReader(output: Readable): Reader {
  const chunks = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held: Buffer = Buffer.alloc(0);
  const readMore = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (done === true) return false;
    held = held.length === 0 ? value : Buffer.concat([held, value]);
    return true;
  };
  const take = (count: number): Buffer => {
    const taken = held.subarray(0, count);
    held = held.subarray(count);
    return taken;
  };
  return {
    readLine: async () => {
      let end = held.indexOf(newline);
      while (end === -1) {
        if (held.length > maxHeaderBytes || !(await readMore())) return undefined;
        end = held.indexOf(newline);
      }
      return take(end + 1)
        .subarray(0, -1)
        .toString("utf8");
    },
    readBytes: async (count) => {
      if (held.length >= count) return take(count);
      // Concatenated once at the end, because a large object comes in many pieces.
      const parts = [held];
      let missing = count - held.length;
      while (missing > 0) {
        const { done, value } = await chunks.next();
        if (done === true) throw new Error("git ended in the middle of an object.");
        parts.push(value.subarray(0, missing));
        held = value.subarray(Math.min(missing, value.length));
        missing -= Math.min(missing, value.length);
      }
      return Buffer.concat(parts);
    },
  };
}
