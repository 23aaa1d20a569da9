import type { ToolResult } from "@haft/contract";
import { toRelative } from "@haft/core/internal";
import { toModelText } from "./to-model-text.ts";

/** Formats a result for an MCP client, with the files that it changed and does not mention. */
export function toClientText(result: ToolResult, roots: readonly string[]): string {
  const text = toModelText(result, { roots });
  const changed = (result.metadata.track_files ?? []).map((path) => toRelative(path, roots));
  const unmentioned = changed.filter((path) => !text.includes(path));
  return unmentioned.length === 0 ? text : `${text}\n\n[Changed: ${unmentioned.join(", ")}]`;
}
