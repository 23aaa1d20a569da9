/** An image in a call's data. */
export interface FoundImage {
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** The complete image, in base64. */
  readonly data: string;
  /** In pixels, if the data contains it. */
  readonly width?: number;
  readonly height?: number;
}

/** Returns the images in a call's data, at any position, in order. */
export function findImages(data: unknown): FoundImage[] {
  const found: FoundImage[] = [];
  replaceImages(data, (image) => {
    found.push(image);
    return "";
  });
  return found;
}

/** Returns the data with a short name in place of each image's bytes. */
export function nameImages(data: unknown): unknown {
  let count = 0;
  return replaceImages(data, ({ mediaType, data: base64 }) => {
    const letters = base64.replace(/=+$/u, "").length;
    return `[image ${++count}: ${mediaType}, ${Math.floor((letters * 3) / 4)} bytes]`;
  });
}

// No tool nests an image deeper than this, but data can be arbitrarily deep.
const maxDepth = 8;

function replaceImages(data: unknown, name: (image: FoundImage) => string, depth = 0): unknown {
  if (typeof data !== "object" || data === null || depth > maxDepth) return data;
  if (Array.isArray(data)) return data.map((item) => replaceImages(item, name, depth + 1));
  const image = asImage(data as Fields);
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => [
    key,
    image !== undefined && key === "data" ? name(image) : replaceImages(value, name, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

type Fields = Readonly<Record<string, unknown>>;

// Built-in tools use `media_type`, MCP uses `mimeType`.
function asImage(fields: Fields): FoundImage | undefined {
  const { type, data, media_type, mimeType, width, height } = fields;
  const mediaType = media_type ?? mimeType;
  if (type !== "image" || typeof data !== "string" || data === "") return undefined;
  if (typeof mediaType !== "string" || !mediaType.startsWith("image/")) return undefined;
  const isMeasured = typeof width === "number" && typeof height === "number";
  return { mediaType, data, ...(isMeasured && { width, height }) };
}
