import type { IncomingMessage, ServerResponse } from "node:http";
import { createOriginGuard, createTokenGuard, type Refusal } from "@haft/computer";
import type { McpServing } from "../mcp-serving.ts";
import { toErrorBody } from "./error-response.ts";
import type { McpExchange } from "./mcp-exchange.ts";

/** Answers MCP requests over HTTP, whatever server they come in at. */
export interface McpHttpHandler {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends every session and every stream. */
  close(): Promise<void>;
}

/** Who may come in: where this is served, and the token that must be brought, if one must. */
export interface GuardOptions {
  readonly hostname: string;
  readonly token?: string;
}

/** Makes a handler that lets in who brings the token, and nobody from another page. */
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
      // Most that serve over pipes never come here; what HTTP needs is loaded by the first request.
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
  // The body is not read, so that the connection can't be used again.
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    connection: "close",
    ...headers,
  });
  response.end(JSON.stringify(toErrorBody(message)));
}
