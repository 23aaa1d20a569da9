import type { Isolation, Tool } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Clock, Tracing } from "@haft/core";
import { systemClock, toPlainLine } from "@haft/core/internal";
import type { OpenToolSource, Warn } from "../../tool-source.ts";
import { toToolId } from "../definition/tool-id.ts";
import type { McpServerEntry, PinnedTool } from "../store/mcp-server-entry.ts";
import { connectServer } from "./connect-server.ts";
import { makeTool } from "./make-tool.ts";
import { createServerLink, type ServerLink } from "./server-link.ts";
import type { McpClientContext } from "./server-type.ts";
import { serverTypeOf } from "./server-types.ts";

/** Options of `openMcpServers`. */
export interface McpServersOptions extends McpClientContext {
  readonly warn: Warn;
  readonly clock?: Clock;
  /** Receives a span of each request. Use that of the session, so that they are below its calls. */
  readonly tracing?: Tracing | undefined;
}

/** The tool source of a workspace's MCP servers. */
export type McpServers = Required<OpenToolSource>;

interface Offer {
  readonly pin: PinnedTool;
  readonly link: ServerLink;
  readonly tool: Tool;
}

/**
 * Opens the accepted tools of all servers of a workspace. A server is connected when one of its tools
 * is first called.
 *
 * @example
 * ```ts
 * import { addToolSource } from "@haft/connect";
 * import { openMcpServers, type McpServersOptions } from "@haft/connect/mcp-client";
 * import { createRegistry } from "@haft/core";
 *
 * declare const options: McpServersOptions;
 * const registry = createRegistry([]);
 * addToolSource(registry, await openMcpServers(options), options.warn);
 * ```
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
      tracing: options.tracing,
      connect: (fresh, events) => connectServer(fresh, options, events),
      onToolsChanged: () => {
        shown = undefined;
        for (const listener of listeners) listener();
      },
    });
    links.push(link);
    const isolation = (): Isolation =>
      link.isolation ?? serverTypeOf(entry.settings).expectIsolation(entry.settings, computer);
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
    warn(`MCP servers are not available: ${toErrorMessage(error)}`);
    return [];
  }
}

// Two names that map to the same id could not be told apart in a call.
function acceptedPins(entry: McpServerEntry, warn: Warn): readonly [string, PinnedTool][] {
  const byId = new Map<string, PinnedTool>();
  const duplicates: string[] = [];
  for (const pin of entry.tools) {
    if (pin.state === "new") continue;
    const id = toToolId(entry.name, pin.name);
    if (byId.has(id)) duplicates.push(toPlainLine(pin.name, 60));
    else byId.set(id, pin);
  }
  if (duplicates.length > 0) {
    const names = duplicates.slice(0, 5).join(", ");
    warn(`MCP server ${entry.name}: left out, because another tool has the same id: ${names}`);
  }
  return [...byId];
}
