import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { tokensOfText } from "@haft/core/internal";
import type { AssistantContent, UserContent } from "ai";

const tokensPerImage = 1500;
const tokensPerMessage = 4;

/** Estimates the tokens of a message. */
export function tokensOfContent(content: UserContent | AssistantContent): number {
  if (typeof content === "string") return tokensPerMessage + tokensOfText(content);
  let tokens = tokensPerMessage;
  for (const part of content) tokens += tokensOfPart(part);
  return tokens;
}

/** Estimates the tokens of a result as a message. */
export function tokensOfOutput(output: AiSdkModelOutput): number {
  return tokensPerMessage + tokensInOutput(output);
}

/** Estimates the tokens of a result's content alone. */
export function tokensInOutput(output: AiSdkModelOutput): number {
  if (output.type !== "content") return tokensOfText(output.value);
  return output.value.reduce(
    (sum, part) => sum + (part.type === "text" ? tokensOfText(part.text) : tokensPerImage),
    0,
  );
}

type Part = Exclude<UserContent | AssistantContent, string>[number];

function tokensOfPart(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return tokensOfText(part.text);
    case "tool-call":
      return tokensPerMessage + tokensOfText(JSON.stringify(part.input ?? null));
    case "file":
      return tokensOfFile(part);
    case "image":
    case "reasoning-file":
      return tokensPerImage;
    default:
      return tokensOfText(JSON.stringify(part));
  }
}

// Providers count images by pixels and other files by content, neither of which is known here.
function tokensOfFile({ mediaType, data }: { mediaType: string; data: unknown }): number {
  const bytes: unknown =
    typeof data === "object" && data !== null && "data" in data ? data.data : data;
  const length = typeof bytes === "string" ? bytes.length : 0;
  return mediaType.startsWith("image/")
    ? tokensPerImage
    : Math.max(tokensPerImage, Math.ceil(length / 8));
}
