import { PassThrough } from "node:stream";
import {
  Client,
  type ClientOptions,
  type ElicitResult,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { startMcpHttp } from "../http/start-mcp-http.ts";
import type { McpServing } from "../mcp-serving.ts";
import { LineTransport } from "../stdio/line-transport.ts";
import { serveMcpStdio } from "../stdio/serve-mcp-stdio.ts";

/** How a client comes: over pipes or HTTP, in one era or the other. */
export type Way = readonly [carrier: "stdio" | "http", era: "legacy" | "modern"];

export const ways: readonly Way[] = [
  ["stdio", "legacy"],
  ["stdio", "modern"],
  ["http", "legacy"],
  ["http", "modern"],
];

export const token = "a-token-for-tests";

/** What a test's client is to be like. */
export interface ClientChoice extends ClientOptions {
  /** What it calls itself. */
  readonly identity?: { readonly name: string; readonly version: string };
  /** Makes it a client that can ask its person, who answers thus. */
  elicit?(form: { readonly message: string; readonly requestedSchema: unknown }): ElicitResult;
}

/** Serves to a real client, and connects it, until the test ends. */
export async function connectClient(
  serving: McpServing,
  [carrier, era]: Way,
  choice: ClientChoice = {},
): Promise<Client> {
  const transport = carrier === "stdio" ? servePipes(serving) : await serveHttp(serving);
  return openClient(transport, era, choice);
}

/** Connects a client over a transport that leads to a server. */
export async function openClient(
  transport: Transport,
  era: Way[1],
  { elicit, identity = { name: "test", version: "1.0.0" }, ...options }: ClientChoice = {},
): Promise<Client> {
  const client = new Client(identity, {
    capabilities: elicit === undefined ? {} : { elicitation: { form: {} } },
    versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
    ...options,
  });
  if (elicit !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => elicit(params as never));
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Serves over two pipes; gives the client's end of them. */
export function servePipes(serving: McpServing): Transport {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const served = serveMcpStdio(serving, { signal: stop.signal, input: up, output: down });
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  const transport = new LineTransport(down, up);
  void transport.closed.then(() => up.end());
  return transport as Transport;
}

async function serveHttp(serving: McpServing): Promise<Transport> {
  const http = await startMcpHttp(serving, { port: 0, token });
  onTestFinished(() => http.close());
  return clientTransport(http.url);
}

/** Leads to a server over HTTP, with the token. */
export function clientTransport(url: string): Transport {
  const headers = { authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}
