import type { IncomingMessage } from "node:http";
import type { Readable, Writable } from "node:stream";
import { createGunzip } from "node:zlib";

/** How a body ended. */
export type BodyEnd = "whole" | "too-large" | "broken";

/** Pipes a request's decompressed body into a target; see `passStream`. */
export async function passBody(
  request: IncomingMessage,
  target: Writable,
  options: { readonly maxBytes: number },
): Promise<BodyEnd> {
  return await passStream(toPlainBody(request), target, options);
}

/**
 * Pipes a stream with backpressure. When the target stops reading, the rest is read and
 * dropped, within the limit: a client that is still sending does not read the response.
 */
export async function passStream(
  body: Readable,
  target: Writable,
  options: { readonly maxBytes: number },
): Promise<BodyEnd> {
  let count = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      count += chunk.length;
      if (count > options.maxBytes) return "too-large";
      if (target.writable && !target.write(chunk)) await canWrite(target);
    }
    return "whole";
  } catch {
    return "broken";
  } finally {
    target.end();
  }
}

function toPlainBody(request: IncomingMessage): Readable {
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return request;
  const unpacked = createGunzip();
  request.once("error", (error) => unpacked.destroy(error));
  request.once("close", () => {
    if (!request.complete) unpacked.destroy();
  });
  return request.pipe(unpacked);
}

async function canWrite(target: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      target.off("drain", settle).off("close", settle).off("error", settle);
      resolve();
    };
    target.on("drain", settle).on("close", settle).on("error", settle);
  });
}
