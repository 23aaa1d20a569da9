import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { AcpMcpServer } from "@haft/agent/acp";
import type { ToolSupply } from "@haft/connect";
import type { McpServerEntry, ServerPlace, ServerSettings } from "@haft/connect/mcp-client";
import type { ToolPlace } from "../sources/tool-place.ts";

/**
 * The MCP servers that a client passes on. Who set them up in their editor vouches for them: they run
 * as the editor would run them, and what they offer at the start is accepted for this session.
 */
export async function openClientServers(
  servers: readonly AcpMcpServer[],
  { computer, state, warn }: ToolPlace,
): Promise<readonly ToolSupply[]> {
  if (servers.length === 0) return [];
  const { inspectServer, openMcpServers, openMcpStore, pinTool } = await import(
    "@haft/connect/mcp-client"
  );
  const directory = join(state, "mcp", "clients", nameSession(servers));
  const store = openMcpStore(directory);
  const place: ServerPlace = { computer, store };
  const names = new Set<string>();
  await Promise.all(
    servers.map(async (server) => {
      const name = toServerName(server.name, names);
      const entry: McpServerEntry = { name, settings: toSettings(server), tools: [] };
      try {
        const found = await inspectServer(entry, place);
        const tools = found.tools.map((tool) => pinTool(tool, "accepted"));
        store.put({ ...entry, tools, legacy: found.isLegacy });
      } catch (error) {
        warn(`MCP server ${server.name}: ${(error as Error).message}`);
      }
    }),
  );
  const opened = await openMcpServers({ ...place, warn });
  return [
    {
      ...opened,
      close: async () => {
        await opened.close();
        rmSync(directory, { recursive: true, force: true });
      },
    },
  ];
}

let opened = 0;

function nameSession(servers: readonly AcpMcpServer[]): string {
  const text = JSON.stringify([process.pid, ++opened, servers]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

// As names of servers may be here; two that become the same are told apart.
function toServerName(given: string, taken: Set<string>): string {
  const plain = given.replaceAll(/[^A-Za-z0-9-]+/gu, "-").replaceAll(/^-+|-+$/gu, "");
  const base = plain.slice(0, 28) || "server";
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}-${count}`;
  taken.add(name);
  return name;
}

function toSettings(server: AcpMcpServer): ServerSettings {
  if (server.type !== "stdio") {
    return { type: "http", url: server.url, headers: server.headers, hosts: [] };
  }
  const { command, args, env } = server;
  return { type: "stdio", command, args, env, passEnv: [], reads: [], hosts: [], sandbox: "off" };
}
