import { type Runtime, ToolError } from "@haft/contract";
import { findImageSize } from "./image-size.ts";
import { findImageType, type ImageType } from "./image-type.ts";
import type { ReadData } from "./read-data.ts";

/** Maximum size of an image in bytes. */
export const maxImageBytes: number = 5 * 1024 * 1024;

/** Reads an image. `head` is the part that was already read, or all of it if `isWhole`. */
export async function readImage(
  path: string,
  { head, isWhole, type }: { head: Uint8Array; isWhole: boolean; type: ImageType },
  runtime: Runtime,
): Promise<ReadData> {
  const size = isWhole ? head.length : (await runtime.fs.stat(path)).size;
  if (size > maxImageBytes) {
    throw new ToolError(
      "too-large",
      `Too large: the image ${path} has ${size} bytes, and images are shown up to ${maxImageBytes}. Make a smaller copy of it.`,
      { absolutePath: path },
    );
  }
  const bytes = isWhole ? head : await runtime.fs.read(path, { offset: 0, length: maxImageBytes });
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

/** Encodes bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as { toBase64?(): string }).toBase64;
  if (native !== undefined) return native.call(bytes);
  let encoded = "";
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    encoded += btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  }
  return encoded;
}

// A multiple of three, so that only the last piece is padded; small enough to spread as arguments.
const pieceBytes = 3 * 4096;
