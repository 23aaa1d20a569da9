import { existsSync } from "node:fs";
import { locateMcpStore, type ToolSupply } from "@haft/connect";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import type { ToolPlace } from "./tool-place.ts";

/** The MCP servers that were added to the workspace; nothing is loaded where there are none. */
export async function openServers(
  { readOnly }: CommonOptions,
  { environment }: Io,
  { computer, state, warn }: ToolPlace,
): Promise<readonly ToolSupply[]> {
  const directory = locateMcpStore(state, computer.roots[0] as string);
  if (!existsSync(directory)) return [];
  const { openMcpServers, openMcpStore } = await import("@haft/connect/mcp-client");
  const store = openMcpStore(directory);
  return [await openMcpServers({ store, computer, environment, readOnly, warn })];
}
