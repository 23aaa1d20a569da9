import { errorCodes, type Metadata, type ToolResult } from "@haft/contract";
import { type CallToolResult, ProtocolError } from "@modelcontextprotocol/server";
import { findImages, nameImages } from "../../result-text/find-images.ts";
import { toModelText } from "../../result-text/to-model-text.ts";

/**
 * A result as MCP carries it: complete as text and complete as structured content, because a client
 * shows its model the one or the other. An error that is the protocol's own is thrown. Where a
 * schema was promised there is structured content in any case.
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
  const fields = isFields(data) ? data : promised ? { head: text } : undefined;
  return fields === undefined
    ? { content }
    : { content, structuredContent: withExtras(fields, metadata) };
}

type Fields = Readonly<Record<string, unknown>>;

function withExtras(fields: Fields, metadata: Metadata): Record<string, unknown> {
  const { truncated, output_path, warnings, track_files } = metadata;
  const extras: Record<string, unknown> = { ...fields };
  const add = (name: string, value: unknown): void => {
    if (value !== undefined && !(name in fields)) extras[name] = value;
  };
  add("output_path", output_path);
  add("warnings", warnings);
  add("changed_files", track_files);
  // A tool that says of itself that nothing is missing can't know of the cut.
  if (truncated === true && fields.truncated === false) extras.truncated = true;
  else add("truncated", truncated);
  return extras;
}

// As text the bytes of an image would only fill a model's memory; they have their own content.
function withoutBytes(data: unknown): unknown {
  if (!isFields(data) || data.type !== "image") return nameImages(data);
  const { data: _bytes, ...rest } = data;
  return rest;
}

function isFields(data: unknown): data is Fields {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

function withChanges(text: string, { track_files = [] }: Metadata): string {
  const untold = track_files.filter((path) => !text.includes(path));
  return untold.length === 0 ? text : `${text}\n\n[Changed: ${untold.join(", ")}]`;
}
