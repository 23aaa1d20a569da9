import type { ToolResult } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { type FoundImage, findImages } from "./find-images.ts";
import { describeMetadata } from "./to-model-text.ts";

/** A text or image of a result that is a list of them. */
export type ContentItem =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: FoundImage; readonly detail?: ImageDetail };

/** How closely a model is to look at an image. */
export type ImageDetail = "auto" | "low" | "high" | "original";

const details: readonly ImageDetail[] = ["auto", "low", "high", "original"];

/**
 * Returns the texts and images of a result that is nothing but a list of them, each as an item of its own,
 * and remarks on the result. Returns `undefined` for any other result.
 */
export function toContentItems(result: ToolResult): ContentItem[] | undefined {
  if (result.type === "error" || !isPlainObject(result.data)) return undefined;
  const { content, ...rest } = result.data;
  if (!Array.isArray(content) || Object.keys(rest).length > 0) return undefined;
  const items = content.map(toItem);
  if (items.some((item) => item === undefined)) return undefined;
  const remarks = describeMetadata(result.metadata);
  return [...(items as ContentItem[]), ...remarks.map(toText)];
}

function toItem(block: unknown): ContentItem | undefined {
  if (!isPlainObject(block)) return undefined;
  if (block.type === "text" && typeof block.text === "string") return toText(block.text);
  const [image] = block.type === "image" ? findImages(block) : [];
  if (image === undefined) return undefined;
  const detail = details.find((one) => one === block.detail);
  return { type: "image", image, ...(detail && { detail }) };
}

function toText(text: string): ContentItem {
  return { type: "text", text };
}
