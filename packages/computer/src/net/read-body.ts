import type { IncomingMessage } from "node:http";
import { pipeline, Readable, type Transform } from "node:stream";
import { createBareInflate, createDecoder, listCodings } from "./content-codings.ts";

/** A body, cut at a limit. */
export interface TakenBody {
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

/** Reads and decompresses up to `maxBytes` of a body; the rest is dropped. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<TakenBody> {
  const codings = listCodings(response);
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  const input = new Input(response, maxBytes + spareBytes);
  try {
    const stream = codings.length === 0 ? input.chunks() : await decode(input, codings);
    for await (const chunk of stream) {
      if (chunk.length > left) {
        chunks.push(chunk.subarray(0, left));
        return { body: join(chunks), truncated: true };
      }
      chunks.push(chunk);
      left -= chunk.length;
    }
    return { body: join(chunks), truncated: input.isCut };
  } finally {
    response.destroy();
  }
}

// A plain `Uint8Array`, not a Node `Buffer`: tools may run without Node and must not see a difference.
function join(chunks: readonly Uint8Array[]): Uint8Array {
  const body = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

// Compressed data can be slightly larger than its content. Data that never ends and decodes to
// nothing is not read to its end.
const spareBytes = 256 * 1024;

async function decode(
  input: Input,
  codings: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const [first, chunks] = await input.peek();
  const chain = codings.toReversed().map((coding, index) => {
    // Some servers send raw deflate data under this name, which starts differently.
    const isBare = coding === "deflate" && index === 0 && (first & 0x0f) !== 8;
    return isBare ? createBareInflate() : createDecoder(coding);
  });
  return pipeline([Readable.from(chunks), ...chain], () => {}) as unknown as Transform;
}

/** The raw bytes, up to a limit. */
class Input {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #maxBytes: number;
  isCut = false;

  constructor(source: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#source = source;
    this.#maxBytes = maxBytes;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    let left = this.#maxBytes;
    for await (const chunk of this.#source) {
      left -= chunk.length;
      if (left < 0) {
        this.isCut = true;
        return;
      }
      yield chunk;
    }
  }

  /** Returns the first byte, and all chunks including it. */
  async peek(): Promise<[number, AsyncIterable<Uint8Array>]> {
    const rest = this.chunks();
    const { value } = await rest.next();
    const again = async function* (): AsyncGenerator<Uint8Array> {
      if (value !== undefined) yield value;
      yield* rest;
    };
    return [(value as Uint8Array | undefined)?.[0] ?? 0, again()];
  }
}
