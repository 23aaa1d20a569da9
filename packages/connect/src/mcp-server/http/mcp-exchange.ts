import type { IncomingMessage, ServerResponse } from "node:http";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import { createServerBuilder } from "../build-server.ts";
import type { McpServing } from "../mcp-serving.ts";
import { toErrorResponse } from "./error-response.ts";
import { HeadedServer } from "./headed-server.ts";
import { createLegacySessions } from "./legacy-sessions.ts";

/** Answers requests that were let in. */
export interface McpExchange {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

const methods = ["GET", "POST", "DELETE"];
const mostBodyBytes = 10 * 1024 * 1024;

/** Serves both eras: the modern one request by request, the legacy one in sessions. */
export function createMcpExchange(serving: McpServing): McpExchange {
  const builder = createServerBuilder(serving);
  const modern = createMcpHandler(() => new HeadedServer(builder.build("modern"), builder.tools), {
    legacy: "reject",
    maxRequestBodySize: mostBodyBytes,
  });
  const legacy = createLegacySessions(builder);
  builder.tools.onChange(() => modern.notify.toolsChanged());

  const fetch = async (request: Request): Promise<Response> => {
    if (!methods.includes(request.method)) {
      return toErrorResponse(405, `Send ${methods.join(", ")}, not ${request.method}.`);
    }
    if (request.method !== "POST") return legacy.fetch(request, undefined);
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return toErrorResponse(415, "Send the message as application/json.");
    }
    const text = await request.clone().text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return toErrorResponse(400, "The body is not JSON.");
    }
    return (await isLegacyRequest(request, body))
      ? legacy.fetch(request, body)
      : modern.fetch(request, { parsedBody: body });
  };

  const handle = toNodeHandler({ fetch }, { maxRequestBodySize: mostBodyBytes });
  return {
    handle: (request, response) => handle(request as NodeIncomingMessageLike, response),
    close: async () => {
      builder.close();
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}
