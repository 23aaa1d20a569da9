import type { ToolResult } from "@haft/contract";
import { type FoundImage, findImages } from "../result-text/find-images.ts";
import { toModelText } from "../result-text/to-model-text.ts";

/** Which images a provider takes; for one that it does not take it refuses the whole request. */
export interface ImageRule {
  readonly types: readonly string[];
  /** In characters of base64. */
  readonly longest?: number;
  /** In pixels, to either side. */
  readonly widest?: number;
}

/** A result's text, and the images that go beside it. */
export interface CarriedResult {
  readonly text: string;
  readonly images: readonly FoundImage[];
}

/** Splits a result into text and images. Of an image that the provider does not take, the text tells. */
export function carryResult(result: ToolResult, rule?: ImageRule): CarriedResult {
  const found = result.type === "error" ? [] : findImages(result.data);
  const faults = found.map((image) => rule && findFault(image, rule));
  const notes = faults.flatMap((fault, index) =>
    fault === undefined ? [] : [`[Image ${index + 1} is not shown: ${fault}]`],
  );
  return {
    text: [toModelText(result), ...notes].join("\n\n"),
    images: found.filter((_, index) => faults[index] === undefined),
  };
}

/** What OpenAI's and Anthropic's models see. */
export const commonImageTypes: readonly string[] = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
];

function findFault(
  { mediaType, data, width = 0, height = 0 }: FoundImage,
  { types, longest = Number.POSITIVE_INFINITY, widest = Number.POSITIVE_INFINITY }: ImageRule,
): string | undefined {
  if (!types.includes(mediaType)) return `the model can't see ${mediaType}.`;
  const isTooLarge = data.length > longest || width > widest || height > widest;
  return isTooLarge ? "it is too large for the model. Make a smaller copy of it." : undefined;
}
