import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { ToolError } from "@haft/contract";

// More layers serve only to inflate a small body into a huge one.
const maxCodings = 2;

/** Returns how a body is compressed, innermost first; throws for codings that can't be decoded. */
export function listCodings(response: IncomingMessage): readonly string[] {
  const codings = (response.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length <= maxCodings && codings.every((coding) => decoders.has(coding)))
    return codings;
  response.destroy();
  throw new ToolError(
    "failed",
    "The response uses a compression that was not requested and can't be decoded.",
  );
}

/** Creates the decoder of one of these codings. */
export function createDecoder(coding: string): Transform {
  return decoders.get(coding)?.() as Transform;
}

// A truncated stream yields what it has, as in browsers.
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

/** Creates a decoder for deflate data without the zlib header. */
export function createBareInflate(): Transform {
  return createInflateRaw(lenient);
}

const decoders = new Map<string, () => Transform>([
  ["gzip", () => createGunzip(lenient)],
  ["x-gzip", () => createGunzip(lenient)],
  ["deflate", () => createInflate(lenient)],
  ["br", () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ["zstd", () => createZstdDecompress(zstdOptions)],
]);

const zstdOptions = {
  finishFlush: constants.ZSTD_e_flush,
  // 8 MB, the window that every decoder has to support.
  params: { [constants.ZSTD_d_windowLogMax]: 23 },
};
