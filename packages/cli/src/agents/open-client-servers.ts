import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { AcpMcpServer } from "@haft/agent/acp";
import type { OpenToolSource } from "@haft/connect";
import type { McpClientContext, McpServerEntry, ServerSettings } from "@haft/connect/mcp-client";
import type { ToolSourceContext } from "../sources/tool-source-context.ts";

/**
 * Opens the MCP servers that a client passes on. The person configured them in the editor, so they are
 * trusted: they run as the editor would run them, and their tools are accepted for this session.
 */
export async function openClientServers(
  servers: readonly AcpMcpServer[],
  { computer, state, warn, tracing }: ToolSourceContext,
): Promise<readonly OpenToolSource[]> {
  if (servers.length === 0) return [];
  const { openMcpServers } = await import("@haft/connect/mcp-client");
  const { inspectServer, openMcpStore, pinTool } = await import(
    "@haft/connect/internal/mcp-client"
  );
  const directory = join(state, "mcp", "clients", nameSession(servers));
  const store = openMcpStore(directory);
  // The editor waits for its session, so not for as long as `haft mcp add`.
  const context: McpClientContext = { computer, store, timeoutMs: 10_000 };
  const names = new Set<string>();
  await Promise.all(
    servers.map(async (server) => {
      const name = toServerName(server.name, names);
      const entry: McpServerEntry = { name, settings: toSettings(server), tools: [] };
      try {
        const found = await inspectServer(entry, context);
        const tools = found.tools.map((tool) => pinTool(tool, "accepted"));
        store.put({ ...entry, tools, legacy: found.isLegacy });
      } catch (error) {
        warn(`MCP server ${server.name}: ${(error as Error).message}`);
      }
    }),
  );
  const opened = await openMcpServers({ ...context, warn, tracing });
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

// Converts names to valid server names and keeps them distinct.
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
