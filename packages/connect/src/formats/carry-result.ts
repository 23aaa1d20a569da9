import type { ToolResult } from "@haft/contract";
import { type FoundImage, findImages } from "../result-text/find-images.ts";
import { toModelText } from "../result-text/to-model-text.ts";

/** The images that a provider accepts. Any other makes it refuse the whole request. */
export interface ImageRule {
  readonly types: readonly string[];
  /** Why other types are not sent. Default: the model does not support them. */
  readonly reason?: string;
  /** In characters of base64. */
  readonly maxLength?: number;
  /** Width and height, in pixels. */
  readonly maxSide?: number;
}

/** A result as text and images. */
export interface CarriedResult {
  readonly text: string;
  readonly images: readonly FoundImage[];
}

/**
 * Splits a result into text and images. The text mentions images that the provider does not accept.
 * Paths in it are relative to the first root.
 */
export function carryResult(
  result: ToolResult,
  rule?: ImageRule,
  roots: readonly string[] = [],
): CarriedResult {
  const found = result.type === "error" ? [] : findImages(result.data);
  const faults = found.map((image) => rule && findFault(image, rule));
  const notes = faults.flatMap((fault, index) =>
    fault === undefined ? [] : [`[Image ${index + 1} was not sent: ${fault}]`],
  );
  return {
    text: [toModelText(result, { roots }), ...notes].join("\n\n"),
    images: found.filter((_, index) => faults[index] === undefined),
  };
}

/** The image types that OpenAI and Anthropic accept. */
export const commonImageTypes: readonly string[] = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
];

function findFault(
  { mediaType, data, width = 0, height = 0 }: FoundImage,
  rule: ImageRule,
): string | undefined {
  const { types, reason = `the model does not support ${mediaType}.` } = rule;
  const { maxLength = Number.POSITIVE_INFINITY, maxSide = Number.POSITIVE_INFINITY } = rule;
  if (!types.includes(mediaType)) return reason;
  const isTooLarge = data.length > maxLength || width > maxSide || height > maxSide;
  return isTooLarge
    ? "it is too large for the model. Make a smaller copy and read that."
    : undefined;
}
