import type { IncomingMessage, ServerResponse } from "node:http";
import { createOriginGuard, createTokenGuard, type Refusal } from "@haft/computer/internal";
import type { McpServing } from "../mcp-serving.ts";
import { toErrorBody } from "./error-response.ts";
import type { McpExchange } from "./mcp-exchange.ts";

/** Answers MCP requests of any `node:http` server. */
export interface McpHttpHandler {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends every session and every stream. */
  close(): Promise<void>;
}

/** Access control: the host name that is served, and the bearer token, if one is required. */
export interface GuardOptions {
  readonly hostname: string;
  readonly token?: string;
}

const methods = ["GET", "POST", "DELETE"];

/**
 * Creates a handler for MCP requests. It refuses requests without the token and requests of pages
 * from other origins.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { createMcpHttpHandler, type McpServing } from "@haft/connect/mcp-server";
 *
 * declare const serving: McpServing;
 * const handler = createMcpHttpHandler(serving, { hostname: "127.0.0.1", token: "secret" });
 * createServer((request, response) => void handler.handle(request, response)).listen(8080);
 * ```
 */
export function createMcpHttpHandler(
  serving: McpServing,
  { hostname, token }: GuardOptions,
): McpHttpHandler {
  const guards = [
    createOriginGuard(hostname),
    ...(token === undefined ? [] : [createTokenGuard(token)]),
  ];
  let exchange: Promise<McpExchange> | undefined;
  let closed = false;
  return {
    handle: async (request, response) => {
      for (const refuse of guards) {
        const refusal = refuse(request);
        if (refusal !== undefined) return sendRefusal(response, refusal);
      }
      if (closed)
        return sendRefusal(response, { status: 503, message: "This server has stopped." });
      // Checked before a `Request` is made of it, which does not allow TRACE.
      if (!methods.includes(request.method ?? "")) {
        return sendRefusal(response, {
          status: 405,
          message: `Send ${methods.join(", ")}, not ${request.method}.`,
          headers: { allow: methods.join(", ") },
        });
      }
      // Loaded with the first request: a server on standard streams never needs it.
      exchange ??= import("./mcp-exchange.ts").then(({ createMcpExchange }) =>
        createMcpExchange(serving),
      );
      await (await exchange).handle(request, response);
    },
    close: async () => {
      closed = true;
      await (await exchange)?.close();
    },
  };
}

function sendRefusal(
  response: ServerResponse,
  { status, message, headers }: Omit<Refusal, "status"> & { readonly status: number },
): void {
  // The body is not read, so the connection can't be reused.
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    connection: "close",
    ...headers,
  });
  response.end(JSON.stringify(toErrorBody(message)));
}
