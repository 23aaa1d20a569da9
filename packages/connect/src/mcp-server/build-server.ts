import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ClientIdentity } from "./clients/client-forms.ts";
import { type Connection, openConnection } from "./connection.ts";
import { LeanServer } from "./lean-server.ts";
import type { McpServing } from "./mcp-serving.ts";
import { statusTool } from "./tools/call-status.ts";
import { hasForms } from "./tools/call-tool.ts";
import { tasksExtension } from "./tools/tasks.ts";
import type { ListedTool } from "./tools/tool-list.ts";
import { traceRequest } from "./trace-request.ts";

/** How long a server lives: as long as its client is connected, or for one request. */
export type ServerLife = "connection" | "request";

/** Creates servers for one entry point. */
export interface ServerBuilder {
  build(era: "legacy" | "modern", life: ServerLife): Server;
  /** Notifies the client of a connected server whenever its tools change. */
  announce(server: Server): void;
  /** Calls the listener when the tools of any client change. */
  onChange(listener: () => void): void;
  /** Returns a tool's definition, if a client has it. */
  findTool(name: string): ListedTool | undefined;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Creates a server builder. Both protocol eras get the same tools. */
export function createServerBuilder(serving: McpServing): ServerBuilder {
  const { host, version, instructions } = serving;
  const open = new Map<string, Connection>();
  const listeners = new Map<string, () => void>();
  const changed = new Set<() => void>();
  let count = 0;

  // Clients without connections are told apart by what they call themselves.
  const connect = (key: string, client: ClientIdentity): Connection => {
    const known = open.get(key);
    if (known !== undefined) return known;
    const connection = openConnection(serving, client);
    open.set(key, connection);
    connection.tools.onChange(() => {
      listeners.get(key)?.();
      for (const listener of changed) listener();
    });
    return connection;
  };
  const disconnect = async (key: string): Promise<void> => {
    const connection = open.get(key);
    open.delete(key);
    listeners.delete(key);
    await connection?.close();
  };
  const closing = new Set<Promise<void>>();
  const keys = new WeakMap<Server, string>();

  return {
    build: (era, life) => {
      const server = new LeanServer(
        { name: "haft", title: "Haft", version },
        {
          capabilities: {
            tools: { listChanged: true },
            ...(host.inbox !== undefined &&
              era === "modern" && { extensions: { [tasksExtension]: {} } }),
          },
          jsonSchemaValidator: trusting,
          ...(instructions !== undefined && { instructions }),
        },
      );
      const own = `connection ${++count}`;
      keys.set(server, own);
      const find = (context: ServerContext): Connection => {
        const client = clientOf(server, context) ?? { name: "unknown", version: "0" };
        if (life === "connection") return connect(own, client);
        if (open.size >= maxClients) void disconnect(open.keys().next().value as string);
        return connect(`${client.name} ${client.version}`, client);
      };
      server.setRequestHandler("tools/list", (_request, context) => {
        const { tools, form, tracing } = find(context);
        return traceRequest(tracing, { server, context }, async () => {
          const asks = host.canQuestion(hasForms(capabilitiesOf(server, context)));
          const listed = tools.list({ asks, hasSchemas: form.form === "structured" });
          const isTaken = host.inbox === undefined || tools.has(statusTool.name);
          return { tools: isTaken ? listed : [...listed, statusTool] };
        });
      });
      server.handleCalls((params, context) => {
        const { calls, tools, tracing } = find(context);
        const capabilities = capabilitiesOf(server, context);
        const tool = tracing && tools.has(params.name) ? params.name : undefined;
        return traceRequest(tracing, { server, context, tool }, () =>
          calls.callTool({ params, context, era, capabilities }),
        );
      });
      if (host.inbox !== undefined && era === "modern") {
        server.handleTasks((context) => find(context).calls.tasks);
      }
      if (life === "connection") {
        server.onclose = () => {
          const closed = disconnect(own).finally(() => closing.delete(closed));
          closing.add(closed);
        };
      }
      serving.extend?.(server);
      return server;
    },
    announce: (server) => {
      const key = keys.get(server);
      if (key !== undefined) {
        listeners.set(key, () => void server.sendToolListChanged().catch(() => {}));
      }
    },
    onChange: (listener) => {
      changed.add(listener);
    },
    findTool: (name) => {
      for (const { tools } of open.values()) {
        const found = tools
          .list({ asks: true, hasSchemas: false })
          .find((tool) => tool.name === name);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    close: async () => {
      changed.clear();
      await Promise.all([...closing, ...Array.from(open.keys(), disconnect)]);
    },
  };
}

const maxClients = 64;

// In the modern era each request carries what the client is and can do.
function capabilitiesOf(server: Server, context: ServerContext): ClientCapabilities | undefined {
  const brought = fromEnvelope(context, CLIENT_CAPABILITIES_META_KEY);
  return (brought as ClientCapabilities | undefined) ?? server.getClientCapabilities();
}

/** Returns what a client calls itself, if this request or an earlier one on its connection says so. */
export function clientOf(server: Server, context: ServerContext): ClientIdentity | undefined {
  const brought = fromEnvelope(context, CLIENT_INFO_META_KEY) as ClientIdentity | undefined;
  return brought ?? server.getClientVersion();
}

function fromEnvelope({ mcpReq }: ServerContext, key: string): unknown {
  return (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[key];
}

/** Validates nothing: sessions and platforms validate arguments, and hosts form answers. */
export const trusting: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
};
