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

// More layers have no use but to make much of little.
const mostCodings = 2;

/** How a body is compressed, the innermost first; throws for what can't be undone. */
export function listCodings(response: IncomingMessage): readonly string[] {
  const codings = (response.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length <= mostCodings && codings.every((coding) => decoders.has(coding)))
    return codings;
  response.destroy();
  throw new ToolError(
    "failed",
    "The answer is compressed in a way that was not asked for and can't be read.",
  );
}

/** What undoes one of these. */
export function createDecoder(coding: string): Transform {
  return decoders.get(coding)?.() as Transform;
}

// Streams that lack their last bytes give what they have, as in browsers.
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

/** What undoes deflate without its frame. */
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
  // 8 MB, what every server has to keep to.
  params: { [constants.ZSTD_d_windowLogMax]: 23 },
};
