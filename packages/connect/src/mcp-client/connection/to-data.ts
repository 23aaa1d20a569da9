import { type JsonValue, ToolError } from "@haft/contract";
import { toPlainData, toPlainText } from "@haft/core/internal";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

/** Converts a server's result to call data. Throws `failed` if the result is an error. */
export function toData(result: CallToolResult): JsonValue {
  const content = result.content ?? [];
  if (result.isError === true) {
    const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    const text = toPlainText(texts.join("\n")).trim();
    throw new ToolError("failed", text === "" ? "The tool failed without an error message." : text);
  }
  if (result.structuredContent !== undefined)
    return toPlainData(result.structuredContent) as JsonValue;
  const blocks = content.map(toBlock);
  const [only] = blocks;
  if (only === undefined) return "";
  if (blocks.length > 1) return { content: blocks };
  return only.type === "text" ? (only.text as string) : only;
}

type Block = Readonly<Record<string, JsonValue>>;

// Images get the format of built-in tools, so that they are shown in the same way.
function toBlock(block: ContentBlock): Block {
  switch (block.type) {
    case "text":
      return { type: "text", text: toPlainText(block.text) };
    case "image":
    case "audio":
      return {
        type: block.type,
        media_type: toPlainText(block.mimeType, 100),
        data: block.data.replaceAll(/[^a-zA-Z0-9+/=_-]/gu, ""),
      };
    case "resource":
      return { type: "resource", resource: toPlainData(block.resource) as JsonValue };
    default:
      return toPlainData({ ...block }) as Block;
  }
}
