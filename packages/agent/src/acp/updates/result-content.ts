import type { ContentBlock, ToolCallContent } from "@agentclientprotocol/sdk";
import { type AiSdkModelOutput, toAiSdkOutput } from "@haft/connect/ai-sdk";
import type { ToolResult } from "@haft/contract";
import type { TracedChange } from "../delegation/call-traces.ts";

/** What is known of a call that ended. */
export interface EndedCall {
  readonly result: ToolResult;
  readonly remarks?: readonly string[] | undefined;
  /** The files that it changed, as the client spells them. */
  readonly changes: readonly TracedChange[];
  /** The client's terminal that its command ran in. */
  readonly terminalId?: string | undefined;
}

const longest = 100_000;

/** What a client shows of a call that ended: differences, the terminal, or the result in words. */
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
  return [...shown, ...words.map(toContent), ...remarks.map(toText).map(toContent)];
}

/** A result as data for the client; a picture's bytes are in what is shown already. */
export function toRawOutput(result: ToolResult): unknown {
  if (result.type === "error") return { error: result.error_text };
  const fields = asFields(result.data);
  if (toPicture(fields) === undefined) return result.data;
  const { data: _, ...rest } = fields;
  return rest;
}

/** Words as a client shows them with a call. */
export function toTextContent(text: string): ToolCallContent {
  return toContent(toText(text));
}

function toWords(result: ToolResult): ContentBlock[] {
  if (result.type === "error") return [toText(result.error_text)];
  const { data } = result;
  if (typeof data === "string") return [toText(data)];
  const fields = asFields(data);
  const picture = toPicture(fields);
  if (picture !== undefined) return [picture];
  const text = [fields.output, fields.content, fields.diff, fields.text, fields.answer].find(
    (value) => typeof value === "string",
  );
  return text === undefined ? toBlocks(toAiSdkOutput(result)) : [toText(text)];
}

/** What a model sees of a result, as a client shows it. */
export function toBlocks(output: AiSdkModelOutput): ContentBlock[] {
  if (output.type !== "content") return [toText(output.value)];
  return output.value.map((part) =>
    part.type === "text"
      ? toText(part.text)
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
  const isLong = text.length > longest;
  return { type: "text", text: isLong ? `${text.slice(0, longest)}\n[…]` : text };
}

function toContent(content: ContentBlock): ToolCallContent {
  return { type: "content", content };
}
