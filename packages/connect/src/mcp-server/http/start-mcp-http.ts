import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { explainListening, toServerUrl } from "@haft/computer/internal";
import type { McpServing } from "../mcp-serving.ts";
import { createMcpHttpHandler } from "./mcp-http-handler.ts";

/** Options of `startMcpHttp`. */
export interface McpHttpOptions {
  /** The port. 0 chooses a free one. */
  readonly port: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly hostname?: string;
  /** The bearer token that every request must carry. */
  readonly token: string;
}

/** A running MCP server. */
export interface McpHttp {
  /** The URL of the endpoint, with its path. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const path = "/mcp";
const receiveTimeoutMs = 60_000;

/**
 * Serves MCP over HTTP at `/mcp`.
 *
 * @example
 * ```ts
 * import { type McpServing, startMcpHttp } from "@haft/connect/mcp-server";
 *
 * declare const serving: McpServing;
 * const { url, close } = await startMcpHttp(serving, { port: 0, token: "secret" });
 * console.log(url); // http://127.0.0.1:41234/mcp
 * await close();
 * ```
 */
export async function startMcpHttp(serving: McpServing, options: McpHttpOptions): Promise<McpHttp> {
  const { token, hostname = "127.0.0.1" } = options;
  // Imported here so that a server on standard streams does not load it.
  const { createServer } = await import("node:http");
  const handler = createMcpHttpHandler(serving, { token, hostname });
  const server = createServer({ requestTimeout: receiveTimeoutMs }, (request, response) => {
    if (request.url?.split("?", 1)[0] !== path) {
      response.writeHead(404, { connection: "close" }).end();
      return;
    }
    handler.handle(request, response).catch(() => response.destroy());
  });
  server.listen(options.port, hostname);
  try {
    await once(server, "listening");
  } catch (error) {
    throw explainListening(error, options.port, hostname);
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `${toServerUrl(hostname, port)}${path}`,
    port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await handler.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
