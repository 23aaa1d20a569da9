import { type Runtime, ToolError } from "@haft/contract";
import { findImageSize } from "./image-size.ts";
import { findImageType, type ImageType } from "./image-type.ts";
import type { ReadData } from "./read-data.ts";
import { toBase64 } from "./to-base64.ts";

/** The largest image that is given, in bytes. */
export const mostImageBytes: number = 5 * 1024 * 1024;

/** Reads all of an image; `head` is what was read of it already, all of it if `isWhole`. */
export async function readImage(
  path: string,
  { head, isWhole, type }: { head: Uint8Array; isWhole: boolean; type: ImageType },
  runtime: Runtime,
): Promise<ReadData> {
  const size = isWhole ? head.length : (await runtime.fs.stat(path)).size;
  if (size > mostImageBytes) {
    throw new ToolError(
      "too-large",
      `Too large: the image ${path} has ${size} bytes, and images are shown up to ${mostImageBytes}. Make a smaller copy of it.`,
      { absolutePath: path },
    );
  }
  const bytes = isWhole ? head : await runtime.fs.read(path, { offset: 0, length: mostImageBytes });
  if (findImageType(bytes) !== type) {
    throw new ToolError("conflict", `Changed meanwhile: ${path} is not as it was. Read it again.`, {
      absolutePath: path,
    });
  }
  const pixels = findImageSize(bytes, type);
  const name = type.slice("image/".length).toUpperCase();
  const dimensions = pixels === undefined ? "" : `, ${pixels.width} × ${pixels.height} pixels`;
  return {
    path,
    type: "image",
    content: `A ${name} image${dimensions}, ${bytes.length} bytes.`,
    media_type: type,
    data: toBase64(bytes),
    size: bytes.length,
    ...pixels,
  };
}
