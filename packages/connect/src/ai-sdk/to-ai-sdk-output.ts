import type { ToolResult } from "@haft/contract";
import { carryResult, type ImageRule } from "../formats/carry-result.ts";
import { type ContentItem, toContentItems } from "../result-text/content-items.ts";
import type { AiSdkContent, AiSdkModelOutput } from "./ai-sdk-tool.ts";

/** Converts a result to the AI SDK's model output. Default: with all its images. */
export function toAiSdkOutput(
  result: ToolResult,
  rule?: ImageRule,
  roots: readonly string[] = [],
): AiSdkModelOutput {
  const items = toContentItems(result);
  // An API whose results have images takes several texts, too.
  if (items !== undefined && rule === undefined) {
    return { type: "content", value: items.map(toContent) };
  }
  const { text, images } = carryResult(result, rule, roots);
  if (result.type === "error") return { type: "error-text", value: text };
  if (images.length === 0) return { type: "text", value: text };
  return {
    type: "content",
    value: [{ type: "text", text }, ...images.map((image) => toContent({ type: "image", image }))],
  };
}

function toContent(item: ContentItem): AiSdkContent {
  if (item.type === "text") return { type: "text", text: item.text };
  const { mediaType, data } = item.image;
  return {
    type: "file",
    mediaType,
    data: { type: "data", data },
    ...(item.detail && { providerOptions: { openai: { imageDetail: item.detail } } }),
  };
}
