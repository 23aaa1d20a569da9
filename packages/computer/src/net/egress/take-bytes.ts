import type { Readable } from "node:stream";

/** Takes exactly `length` bytes off a stream that has no other reader; throws if it ends early. */
export function takeBytes(stream: Readable, length: number): Promise<Uint8Array> {
  if (length === 0) return Promise.resolve(new Uint8Array());
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      stream.off("readable", attempt).off("end", fail).off("close", fail);
    };
    const fail = (): void => {
      settle();
      reject(new Error("The stream ended early."));
    };
    const attempt = (): void => {
      const bytes = stream.read(length) as Uint8Array | null;
      if (bytes === null) return;
      settle();
      // At its end a stream hands over what is left, even if that is too little.
      if (bytes.length < length) reject(new Error("The stream ended early."));
      else resolve(bytes);
    };
    stream.on("readable", attempt).on("end", fail).on("close", fail);
    if (stream.destroyed || stream.readableEnded) fail();
    else attempt();
  });
}
