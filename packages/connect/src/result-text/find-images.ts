/** An image in a call's data. */
export interface FoundImage {
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** All of it, in base64. */
  readonly data: string;
  /** In pixels, where the data tells. */
  readonly width?: number;
  readonly height?: number;
}

/** The images in a call's data, in their order; wherever they are in it. */
export function findImages(data: unknown): FoundImage[] {
  const found: FoundImage[] = [];
  replaceImages(data, (image) => {
    found.push(image);
    return "";
  });
  return found;
}

/** The same data with the name of each image in the place of its bytes. */
export function nameImages(data: unknown): unknown {
  let count = 0;
  return replaceImages(data, ({ mediaType, data: base64 }) => {
    const letters = base64.replace(/=+$/u, "").length;
    return `[image ${++count}: ${mediaType}, ${Math.floor((letters * 3) / 4)} bytes]`;
  });
}

// Deeper than this nobody puts an image, and data may be as deep as JSON goes.
const deepest = 8;

function replaceImages(data: unknown, name: (image: FoundImage) => string, depth = 0): unknown {
  if (typeof data !== "object" || data === null || depth > deepest) return data;
  if (Array.isArray(data)) return data.map((item) => replaceImages(item, name, depth + 1));
  const image = asImage(data as Fields);
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => [
    key,
    image !== undefined && key === "data" ? name(image) : replaceImages(value, name, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

type Fields = Readonly<Record<string, unknown>>;

// Ours says `media_type`, MCP's `mimeType`.
function asImage(fields: Fields): FoundImage | undefined {
  const { type, data, media_type, mimeType, width, height } = fields;
  const mediaType = media_type ?? mimeType;
  if (type !== "image" || typeof data !== "string" || data === "") return undefined;
  if (typeof mediaType !== "string" || !mediaType.startsWith("image/")) return undefined;
  const isMeasured = typeof width === "number" && typeof height === "number";
  return { mediaType, data, ...(isMeasured && { width, height }) };
}
