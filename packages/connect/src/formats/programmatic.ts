import type { ToolKind, ToolResult } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { ShownTool } from "@haft/core";
import { nameImages } from "../result-text/find-images.ts";
import { toModelText } from "../result-text/to-model-text.ts";

/** Options for tools that a program at the provider may call. */
export interface ProgrammaticOptions {
  /**
   * Tells whether the provider's program may call a tool. Default: Haft's own tools that only read or search.
   * A program does not wait long enough for a person's approval.
   */
  allows?(tool: ShownTool): boolean;
}

const harmless: readonly ToolKind[] = ["read", "search"];

/** Tells whether a program at the provider may call a tool. */
export function isForPrograms(tool: ShownTool, { allows }: ProgrammaticOptions): boolean {
  if (allows !== undefined) return allows(tool);
  // What a search for tools finds is for the model.
  return harmless.includes(tool.kind) && tool.source === "builtin" && tool.tool !== "tool_search";
}

/** Formats a result for a program: its data as JSON, or a text as it is. */
export function toProgramText(result: ToolResult, roots: readonly string[]): string {
  if (result.type === "error") return toModelText(result, { roots });
  const { truncated, output_path } = result.metadata;
  const data = nameImages(result.data);
  if (typeof data === "string") return data;
  const cut = truncated === true && { truncated, ...(output_path && { output_path }) };
  return JSON.stringify(isPlainObject(data) ? { ...data, ...cut } : data);
}
