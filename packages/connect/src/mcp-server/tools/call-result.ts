import { errorCodes, type Metadata, type ToolResult } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { type CallToolResult, ProtocolError } from "@modelcontextprotocol/server";
import { findImages, nameImages } from "../../result-text/find-images.ts";
import { toModelText } from "../../result-text/to-model-text.ts";

/**
 * Converts a result to MCP. Text and structured content are each complete, because a client shows its
 * model one or the other. Protocol errors are thrown. If the tool has an output schema (`promised`),
 * there is always structured content.
 */
export function toCallResult(result: ToolResult, promised: boolean): CallToolResult {
  const { metadata } = result;
  const text = withChanges(toModelText(result), metadata);
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (result.type === "error") {
    const code = metadata.error_code ?? "failed";
    const { mcp } = errorCodes[code];
    if (mcp !== "result") throw new ProtocolError(mcp, text);
    return { content, isError: true, _meta: { error_code: code } };
  }
  const images = findImages(result.data);
  for (const { data, mediaType } of images) {
    content.push({ type: "image", data, mimeType: mediaType });
  }
  const data = images.length === 0 ? result.data : withoutBytes(result.data);
  const fields = isPlainObject(data) ? data : promised ? { head: text } : undefined;
  return fields === undefined
    ? { content }
    : { content, structuredContent: withExtras(fields, metadata) };
}

type Fields = Readonly<Record<string, unknown>>;

function withExtras(fields: Fields, metadata: Metadata): Record<string, unknown> {
  const { truncated, output_path, warnings, notices, track_files } = metadata;
  const extras: Record<string, unknown> = { ...fields };
  const add = (name: string, value: unknown): void => {
    if (value !== undefined && !(name in fields)) extras[name] = value;
  };
  add("output_path", output_path);
  add("warnings", warnings);
  add("notices", notices);
  add("changed_files", track_files);
  // The tool reported complete data before the session cut it.
  if (truncated === true && fields.truncated === false) extras.truncated = true;
  else add("truncated", truncated);
  return extras;
}

// The image has a content block of its own; its bytes as text would only fill the model's context.
function withoutBytes(data: unknown): unknown {
  if (!isPlainObject(data) || data.type !== "image") return nameImages(data);
  const { data: _bytes, ...rest } = data;
  return rest;
}

function withChanges(text: string, { track_files = [] }: Metadata): string {
  const unmentioned = track_files.filter((path) => !text.includes(path));
  return unmentioned.length === 0 ? text : `${text}\n\n[Changed: ${unmentioned.join(", ")}]`;
}
