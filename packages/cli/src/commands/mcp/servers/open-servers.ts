import { stateDirectory } from "@haft/computer/internal";
import { locateMcpStore, openMcpStore } from "@haft/connect/internal/mcp-client";
import type { McpClientContext, McpServerEntry, McpStore } from "@haft/connect/mcp-client";
import { nearestNames } from "@haft/core/internal";
import type { Io } from "../../../io.ts";
import { openComputer } from "../../../open-workspace.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { UsageError } from "../../../usage-error.ts";

/** The MCP servers of a workspace, and what connecting to them needs. */
export type ServersContext = Required<
  Pick<McpClientContext, "environment" | "computer" | "store">
> & {
  readonly workspace: string;
};

/** Opens the stored MCP servers of the workspace that the options name. */
export function openServers(options: CommonOptions, io: Io): ServersContext {
  const computer = openComputer(options, io);
  const workspace = computer.roots[0] as string;
  const store = openMcpStore(locateMcpStore(stateDirectory(io.environment), workspace));
  return { computer, store, workspace, environment: io.environment };
}

/** Returns the server that the command line names. */
export function requireServer(positionals: readonly string[], store: McpStore): McpServerEntry {
  const [name = ""] = positionals;
  const known = store.list().map((entry) => entry.name);
  const entry = store.get(name);
  if (entry !== undefined) return entry;
  const servers =
    known.length === 0 ? "Add one with: haft mcp add." : `Servers: ${known.join(", ")}.`;
  const [near] = nearestNames(name, known, 1);
  const hint = near === undefined ? servers : `Did you mean ${near}?`;
  throw new UsageError(`There is no MCP server ${JSON.stringify(name)}. ${hint}`);
}
