import type { ContentBlock, ToolCallContent } from "@agentclientprotocol/sdk";
import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { toAiSdkOutput } from "@haft/connect/internal/ai-sdk";
import type { ToolResult } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import type { TracedChange } from "../delegation/call-traces.ts";
import { toCodeBlock } from "./code-block.ts";

/** A call that has ended. */
export interface EndedCall {
  readonly result: ToolResult;
  readonly remarks?: readonly string[] | undefined;
  /** The files that it changed, in the client's spelling. */
  readonly changes: readonly TracedChange[];
  /** ID of the client's terminal that its command ran in. */
  readonly terminalId?: string | undefined;
}

const maxLength = 100_000;

/** Returns what a client shows of an ended call: diffs, the terminal, or the result as text. */
export function toResultContent(call: EndedCall): ToolCallContent[] {
  const { result, remarks = [], changes, terminalId } = call;
  const shown: ToolCallContent[] = changes.map(({ path, oldText, newText }) => ({
    type: "diff",
    path,
    oldText: oldText ?? null,
    newText,
  }));
  if (terminalId !== undefined) shown.push({ type: "terminal", terminalId });
  const isTold = shown.length > 0 && result.type === "output";
  const words = isTold ? [] : toWords(result);
  return [...shown, ...words.map(toContent), ...remarks.map(toBlock).map(toContent)];
}

/** Returns the raw result for the client. Image data is left out, because the content contains it. */
export function toRawOutput(result: ToolResult): unknown {
  if (result.type === "error") return { error: result.error_text };
  const fields = asFields(result.data);
  if (toPicture(fields) === undefined) return result.data;
  const { data: _, ...rest } = fields;
  return rest;
}

/** Converts text to content of a call. */
export function toTextContent(text: string): ToolCallContent {
  return toContent(toText(text));
}

function toWords(result: ToolResult): ContentBlock[] {
  if (result.type === "error") return [toBlock(result.error_text)];
  const { data } = result;
  if (typeof data === "string") return [toBlock(data)];
  const fields = asFields(data);
  const picture = toPicture(fields);
  if (picture !== undefined) return [picture];
  const text = [fields.output, fields.content, fields.diff, fields.text].find(
    (value) => typeof value === "string",
  );
  if (text !== undefined) return [toBlock(text)];
  // The answer of a subagent is Markdown, like that of the agent itself.
  if (typeof fields.answer === "string") return [toText(fields.answer)];
  return toBlocks(toAiSdkOutput(result));
}

/** Converts the model's view of a result for display in a client. */
export function toBlocks(output: AiSdkModelOutput): ContentBlock[] {
  if (output.type !== "content") return [toBlock(output.value)];
  return output.value.map((part) =>
    part.type === "text"
      ? toBlock(part.text)
      : { type: "image", mimeType: part.mediaType, data: part.data.data },
  );
}

type Fields = Readonly<Record<string, unknown>>;

function asFields(data: unknown): Fields {
  return typeof data === "object" && data !== null ? (data as Fields) : {};
}

function toPicture(fields: Fields): ContentBlock | undefined {
  const { type, data, media_type } = fields;
  if (type !== "image" || typeof data !== "string" || typeof media_type !== "string") {
    return undefined;
  }
  return { type: "image", data, mimeType: media_type };
}

function toText(text: string): ContentBlock & { type: "text" } {
  const isLong = text.length > maxLength;
  return { type: "text", text: isLong ? `${clipText(text, maxLength, "")}\n[…]` : text };
}

/** Shows text verbatim: results of tools are untrusted. */
function toBlock(text: string): ContentBlock {
  const { text: cut } = toText(text);
  return { type: "text", text: toCodeBlock(cut) };
}

function toContent(content: ContentBlock): ToolCallContent {
  return { type: "content", content };
}
