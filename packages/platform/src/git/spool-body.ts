import { randomBytes } from "node:crypto";
import { closeSync, createReadStream, createWriteStream, openSync, unlinkSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type BodyEnd, passBody } from "./request-body.ts";

/** The whole body of a request, in a file. */
export interface SpooledBody {
  readonly end: BodyEnd;
  read(): Readable;
  close(): void;
}

/**
 * Receives and decompresses a whole body first, so that a slow sender does not block other pushes.
 */
export async function spoolBody(
  request: IncomingMessage,
  options: { readonly directory: string; readonly maxBytes: number },
): Promise<SpooledBody> {
  const path = join(options.directory, `body-${randomBytes(8).toString("hex")}`);
  const fd = openSync(path, "wx+", 0o600);
  // Unlinked at once, so that nothing is left behind if this process dies.
  unlinkSync(path);
  try {
    const target = createWriteStream("", { fd, autoClose: false });
    const finished = new Promise<void>((resolve, reject) =>
      target.once("finish", resolve).once("error", reject),
    );
    // A full disk ends the stream, but the request is still read to its end.
    const [end] = await Promise.all([passBody(request, target, options), finished]);
    return {
      end,
      read: () => createReadStream("", { fd, start: 0, autoClose: false }),
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
