import type { IncomingMessage, ServerResponse } from "node:http";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  type Server,
} from "@modelcontextprotocol/server";
import { createServerBuilder, type ServerBuilder } from "../build-server.ts";
import type { McpServing } from "../mcp-serving.ts";
import { createLegacySessions } from "./legacy-sessions.ts";
import { readMessage } from "./read-message.ts";

/** Answers authorized requests. */
export interface McpExchange {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

const maxBodyBytes = 10 * 1024 * 1024;

/** Serves both protocol eras: the modern one per request, the legacy one in sessions. */
export function createMcpExchange(serving: McpServing): McpExchange {
  const builder = createServerBuilder(serving);
  const modern = createMcpHandler(
    () => new HeadedServer(builder.build("modern", "request"), builder),
    { legacy: "reject", maxRequestBodySize: maxBodyBytes },
  );
  const legacy = createLegacySessions(builder);
  builder.onChange(() => modern.notify.toolsChanged());

  const fetch = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return legacy.fetch(request, undefined);
    const message = await readMessage(request);
    if (message instanceof Response) return message;
    const { body } = message;
    return (await isLegacyRequest(request, body))
      ? legacy.fetch(request, body)
      : modern.fetch(request, { parsedBody: body });
  };

  const handle = toNodeHandler({ fetch }, { maxRequestBodySize: maxBodyBytes });
  return {
    handle: (request, response) => handle(request as NodeIncomingMessageLike, response),
    close: async () => {
      await Promise.all([modern.close(), legacy.close()]);
      await builder.close();
    },
  };
}

/**
 * A server that gives the SDK its tools' schemas, so that the SDK can compare arguments with the
 * request headers that repeat them (`x-mcp-header`).
 */
class HeadedServer extends McpServer {
  override readonly server: Server;
  readonly #builder: ServerBuilder;

  constructor(server: Server, builder: ServerBuilder) {
    super({ name: "haft", version: "0" });
    this.server = server;
    this.#builder = builder;
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#builder.findTool(name)?.inputSchema;
  }
}
