import { errorCodes, type Metadata, type ToolResult } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { type CallToolResult, ProtocolError } from "@modelcontextprotocol/server";
import { findImages, nameImages } from "../../result-text/find-images.ts";
import { toClientText } from "../../result-text/to-client-text.ts";

/** How a result is sent. */
export interface ResultForm {
  readonly form: "text" | "structured";
  /** Whether the tool's definition has an output schema. Then there is always structured content. */
  readonly promised: boolean;
  /** The directories of the workspace. */
  readonly roots: readonly string[];
}

/**
 * Converts a result to MCP, as text or as structured content. Each is complete. Images are content in
 * both cases, and errors are text. Protocol errors are thrown.
 */
export function toCallResult(result: ToolResult, how: ResultForm): CallToolResult {
  const { metadata } = result;
  const text = toClientText(result, how.roots);
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (result.type === "error") {
    const code = metadata.error_code ?? "failed";
    const { mcp } = errorCodes[code];
    if (mcp !== "result") throw new ProtocolError(mcp, text);
    return { content, isError: true, _meta: { error_code: code } };
  }
  const found = findImages(result.data);
  const images = found.map(({ data, mediaType }) => ({
    type: "image" as const,
    data,
    mimeType: mediaType,
  }));
  if (how.form === "text") return { content: [...content, ...images] };
  const data = images.length === 0 ? result.data : withoutBytes(result.data);
  const fields = isPlainObject(data) ? data : how.promised ? { head: text } : undefined;
  return fields === undefined
    ? { content: [...content, ...images] }
    : { content: images, structuredContent: withExtras(fields, metadata) };
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
