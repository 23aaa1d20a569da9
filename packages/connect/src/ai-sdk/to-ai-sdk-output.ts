import type { ToolResult } from "@haft/contract";
import { carryResult, type ImageRule } from "../formats/carry-result.ts";
import type { AiSdkModelOutput } from "./ai-sdk-tool.ts";

/** Converts a result to the AI SDK's model output. Default: with all its images. */
export function toAiSdkOutput(
  result: ToolResult,
  rule?: ImageRule,
  roots: readonly string[] = [],
): AiSdkModelOutput {
  const { text, images } = carryResult(result, rule, roots);
  if (result.type === "error") return { type: "error-text", value: text };
  if (images.length === 0) return { type: "text", value: text };
  return {
    type: "content",
    value: [
      { type: "text", text },
      ...images.map(({ mediaType, data }) => ({
        type: "file" as const,
        mediaType,
        data: { type: "data" as const, data },
      })),
    ],
  };
}
