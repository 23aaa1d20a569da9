import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { explainListening, toServerUrl } from "@haft/computer";
import type { McpServing } from "../mcp-serving.ts";
import { createMcpHttpHandler } from "./mcp-http-handler.ts";

/** Where MCP is served over HTTP, and to whom. */
export interface McpHttpOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** `127.0.0.1` unless said. */
  readonly hostname?: string;
  /** The bearer token that every request must carry. */
  readonly token: string;
}

/** MCP that is being served. */
export interface McpHttp {
  /** With the path. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const path = "/mcp";
const receiveTimeoutMs = 60_000;

/** Serves MCP over HTTP at `/mcp`. */
export async function startMcpHttp(serving: McpServing, options: McpHttpOptions): Promise<McpHttp> {
  const { token, hostname = "127.0.0.1" } = options;
  // Here and not above: who serves over pipes need not load it.
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
