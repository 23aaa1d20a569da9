import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { createGunzip } from "node:zlib";

/** How a body came to its end. */
export type BodyEnd = "whole" | "too-large" | "broken";

/**
 * Passes a request's body on, unpacked, as fast as it is taken. When nobody takes it any more the
 * rest is read and dropped, within the limit: a client that still sends does not read its answer.
 */
export async function passBody(
  request: IncomingMessage,
  target: Writable,
  options: { readonly mostBytes: number },
): Promise<BodyEnd> {
  const body = toPlainBody(request);
  let count = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      count += chunk.length;
      if (count > options.mostBytes) return "too-large";
      if (target.writable && !target.write(chunk)) await canWrite(target);
    }
    return "whole";
  } catch {
    return "broken";
  } finally {
    target.end();
  }
}

function toPlainBody(request: IncomingMessage): IncomingMessage | ReturnType<typeof createGunzip> {
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
