import type { Metadata, ToolResult } from "@haft/contract";
import { nameImages } from "./find-images.ts";
import { showFields } from "./show-fields.ts";

/**
 * A result as one text for a model, in which every fact of the data is. Long parts stand as they
 * are and not as JSON strings; of images it says what they are, for they travel beside the text.
 */
export function toModelText(result: ToolResult): string {
  const text = result.type === "error" ? result.error_text : showData(nameImages(result.data));
  return [text, ...remarkOn(result.metadata)].join("\n\n");
}

function showData(data: unknown): string {
  // Most providers take no empty text.
  if (data === "") return "(empty)";
  if (typeof data === "string") return data;
  return showFields(data) ?? JSON.stringify(data) ?? "null";
}

function remarkOn({ truncated, output_path, warnings = [] }: Metadata): string[] {
  const remarks = warnings.map((warning) => `[Warning: ${warning}]`);
  if (truncated !== true) return remarks;
  const where =
    output_path === undefined ? "" : ` The whole of it is in ${output_path}, which can be read.`;
  return [`[Truncated: this is a part of the output.${where}]`, ...remarks];
}
