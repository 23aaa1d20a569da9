import type { Metadata, ToolResult } from "@haft/contract";
import { nameImages } from "./find-images.ts";
import { showData } from "./show-data.ts";

/** What a result's text is written for. */
export interface TextContext {
  /** The directories of the workspace: paths in search results are relative to the first. */
  readonly roots?: readonly string[];
}

/**
 * Formats a result as one text for a model, with every fact of the data, the important ones first.
 * Long texts are not escaped as JSON strings. Images are only named, because they are sent beside the
 * text.
 */
export function toModelText(result: ToolResult, { roots = [] }: TextContext = {}): string {
  const { metadata } = result;
  if (result.type === "error") {
    return join([...noteCut(metadata), result.error_text, ...remarksOn(metadata)]);
  }
  const { facts, body } = showData(nameImages(result.data), roots);
  return join([facts, ...noteCut(metadata), body, ...remarksOn(metadata)]);
}

/** Describes what a result's metadata says about it: that it was cut, notes, warnings and notices. */
export function describeMetadata(metadata: Metadata): string[] {
  return [...noteCut(metadata), ...remarksOn(metadata)];
}

function join(parts: readonly string[]): string {
  // Most providers refuse an empty text.
  return parts.filter((part) => part !== "").join("\n\n") || "(empty)";
}

function noteCut({ truncated, output_path: path }: Metadata): string[] {
  if (truncated !== true) return [];
  const where =
    path === undefined
      ? ""
      : ` The whole, as far as it was kept, is in ${path}; read it from there.`;
  return [`[Truncated: this is only part of the output.${where}]`];
}

function remarksOn({ notes = [], warnings = [], notices = [] }: Metadata): string[] {
  return [
    ...notes.map((note) => `[Note: ${note}]`),
    ...warnings.map((warning) => `[Warning: ${warning}]`),
    ...notices.map((notice) => `[Notice: ${notice}]`),
  ];
}
