import { stateDirectory } from "@haft/computer";
import {
  locateMcpStore,
  type McpServerEntry,
  type McpStore,
  openMcpStore,
  type ServerPlace,
} from "@haft/connect/mcp-client";
import { nearestNames } from "@haft/core";
import type { Io } from "../../../io.ts";
import { openComputer } from "../../../open-workspace.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { UsageError } from "../../../usage-error.ts";

/** The workspace's servers, and where they are connected from. */
export type ServersPlace = Required<Pick<ServerPlace, "environment" | "computer" | "store">> & {
  readonly workspace: string;
};

/** Opens what is kept of the servers of the workspace that the options name. */
export function openPlace(options: CommonOptions, io: Io): ServersPlace {
  const computer = openComputer(options, io);
  const workspace = computer.roots[0] as string;
  const store = openMcpStore(locateMcpStore(stateDirectory(io.environment), workspace));
  return { computer, store, workspace, environment: io.environment };
}

/** The server that the command line names, and nothing beside it. */
export function requireServer(positionals: readonly string[], store: McpStore): McpServerEntry {
  const [name, extra] = positionals;
  if (extra !== undefined) throw new UsageError(`One server at a time; what is ${extra}?`);
  const known = store.list().map((entry) => entry.name);
  const entry = name === undefined ? undefined : store.get(name);
  if (entry !== undefined) return entry;
  const servers = known.length === 0 ? "There is none; add one." : `Servers: ${known.join(", ")}.`;
  if (name === undefined) throw new UsageError(`Which server? ${servers}`);
  const [near] = nearestNames(name, known, 1);
  const hint = near === undefined ? servers : `Did you mean ${near}?`;
  throw new UsageError(`There is no MCP server ${JSON.stringify(name)}. ${hint}`);
}
