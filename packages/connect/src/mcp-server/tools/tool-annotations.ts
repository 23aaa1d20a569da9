import type { ToolKind } from "@haft/contract";
import type { ShownTool } from "@haft/core";
import type { ToolAnnotations } from "@modelcontextprotocol/server";

const reading: ReadonlySet<ToolKind> = new Set(["read", "search", "fetch", "think"]);

/**
 * What a client may tell its user about a tool. It follows from what the tool requires; of tools
 * from elsewhere nobody here knows, so that the worst is said of them.
 */
export function toAnnotations({ kind, requires, source }: ShownTool): ToolAnnotations {
  if (source !== "builtin") {
    return { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
  }
  const changes = requires.fs?.write !== undefined || requires.shell !== undefined;
  const openWorldHint = requires.net !== undefined || kind === "fetch";
  if (reading.has(kind) && !changes) return { readOnlyHint: true, openWorldHint };
  // What only keeps its own list can't destroy anything.
  return { readOnlyHint: false, destructiveHint: changes || kind !== "other", openWorldHint };
}
