import type { Metadata, ToolResult } from "@haft/contract";
import { nameImages } from "./find-images.ts";
import { showFields } from "./show-fields.ts";

/**
 * Formats a result as one text for a model, with every fact of the data. Long texts are not escaped
 * as JSON strings. Images are only named, because they are sent beside the text.
 */
export function toModelText(result: ToolResult): string {
  const text = result.type === "error" ? result.error_text : showData(nameImages(result.data));
  return [text, ...notesOn(result.metadata)].join("\n\n");
}

function showData(data: unknown): string {
  // Most providers refuse an empty text.
  if (data === "") return "(empty)";
  if (typeof data === "string") return data;
  return showFields(data) ?? JSON.stringify(data) ?? "null";
}

function notesOn(metadata: Metadata): string[] {
  const { truncated, output_path, notes = [], warnings = [], notices = [] } = metadata;
  const remarks = [
    ...notes.map((note) => `[Note: ${note}]`),
    ...warnings.map((warning) => `[Warning: ${warning}]`),
    ...notices.map((notice) => `[Notice: ${notice}]`),
  ];
  if (truncated !== true) return remarks;
  const where =
    output_path === undefined
      ? ""
      : ` The whole, as far as it was kept, is in ${output_path}; read it from there.`;
  return [`[Truncated: this is only part of the output.${where}]`, ...remarks];
}
