import type { Isolation, Tool } from "@haft/contract";
import { type Clock, systemClock } from "@haft/core";
import type { ToolSupply, Warn } from "../../tool-supply.ts";
import { toToolId } from "../definition/tool-id.ts";
import { messageOf } from "../message-of.ts";
import type { McpServerEntry, PinnedTool, ServerSettings } from "../store/mcp-server-entry.ts";
import { toPlainLine } from "../text/plain-text.ts";
import { connectServer, type McpComputer, type ServerPlace } from "./connect-server.ts";
import { makeTool } from "./make-tool.ts";
import { createServerLink, type ServerLink } from "./server-link.ts";

/** What the servers of a workspace are made of. */
export interface McpServersOptions extends ServerPlace {
  readonly warn: Warn;
  readonly clock?: Clock;
}

/** The tools of the MCP servers of a workspace. */
export type McpServers = Required<ToolSupply>;

interface Offer {
  readonly pin: PinnedTool;
  readonly link: ServerLink;
  readonly tool: Tool;
}

/**
 * Makes the tools of all servers that were added, as they were accepted. No server is connected
 * before one of its tools is called.
 */
export async function openMcpServers(options: McpServersOptions): Promise<McpServers> {
  const { store, warn, computer, clock = systemClock } = options;
  const listeners = new Set<() => void>();
  const links: ServerLink[] = [];
  const offers = readEntries(options).flatMap((entry): Offer[] => {
    const link = createServerLink({
      name: entry.name,
      store,
      warn,
      clock,
      connect: (fresh, events) => connectServer(fresh, options, events),
      onToolsChanged: () => {
        shown = undefined;
        for (const listener of listeners) listener();
      },
    });
    links.push(link);
    const isolation = (): Isolation => link.isolation ?? expectIsolation(entry.settings, computer);
    return acceptedPins(entry, warn).map(([id, pin]) => {
      const tool = makeTool(pin, { id, server: entry.name, link, isolation }) as Tool;
      return { pin, link, tool };
    });
  });
  let shown: readonly Tool[] | undefined;

  return {
    name: "MCP",
    tools: () => {
      shown ??= offers.filter(({ pin, link }) => !link.isGone(pin)).map(({ tool }) => tool);
      return shown;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close: async () => {
      await Promise.all(links.map((link) => link.close()));
    },
  };
}

function readEntries({ store, warn }: McpServersOptions): readonly McpServerEntry[] {
  try {
    return store.list();
  } catch (error) {
    warn(`No MCP servers: ${messageOf(error)}`);
    return [];
  }
}

// Names that become the same here can't be told apart by whoever calls.
function acceptedPins(entry: McpServerEntry, warn: Warn): readonly [string, PinnedTool][] {
  const byId = new Map<string, PinnedTool>();
  const doubled: string[] = [];
  for (const pin of entry.tools) {
    if (pin.state === "new") continue;
    const id = toToolId(entry.name, pin.name);
    if (byId.has(id)) doubled.push(toPlainLine(pin.name, 60));
    else byId.set(id, pin);
  }
  if (doubled.length > 0) {
    const names = doubled.slice(0, 5).join(", ");
    warn(`MCP server ${entry.name}: left out, for another tool has the same name here: ${names}`);
  }
  return [...byId];
}

// What will confine a server that does not run yet. Of one on the net, nothing runs here but the
// requests of this process, which go to that server alone.
function expectIsolation(settings: ServerSettings, computer: McpComputer): Isolation {
  if (settings.type === "http") return "capability";
  return settings.sandbox === "off" ? "none" : computer.shellIsolation;
}
