import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServerBuilder, type ServerBuilder } from "../build-server.ts";
import type { McpServing } from "../mcp-serving.ts";
import { LineTransport } from "./line-transport.ts";

/** Options of `serveMcpStdio`. */
export interface StdioOptions {
  /** Stops serving when it aborts. */
  readonly signal: AbortSignal;
  /** Default: `process.stdin`. */
  readonly input?: Readable;
  /** Default: `process.stdout`. */
  readonly output?: Writable;
}

/**
 * Serves one client over standard input and output, until it disconnects or the signal aborts.
 *
 * @example
 * ```ts
 * import { type McpServing, serveMcpStdio } from "@haft/connect/mcp-server";
 *
 * declare const serving: McpServing;
 * const { signal } = new AbortController();
 * await serveMcpStdio(serving, { signal });
 * ```
 */
export async function serveMcpStdio(serving: McpServing, options: StdioOptions): Promise<void> {
  const { signal, input = process.stdin, output = process.stdout } = options;
  const builder = createServerBuilder(serving);
  const transport = new LineTransport(input, output);
  const stop = (): void => void transport.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const first = await transport.peek();
    const served = first === undefined ? undefined : await connect(builder, transport, first);
    await transport.closed;
    await served?.close();
  } finally {
    signal.removeEventListener("abort", stop);
    await builder.close();
  }
}

/**
 * Connects a server of the client's protocol era. A client with a legacy handshake stays legacy, so
 * it does not need the SDK's code that distinguishes eras.
 */
async function connect(
  builder: ServerBuilder,
  transport: LineTransport,
  first: JSONRPCMessage,
): Promise<{ close(): Promise<void> }> {
  if (!isHandshake(first)) {
    return serveStdio(({ era }) => build(builder, era), { transport });
  }
  const server = build(builder, "legacy");
  await server.connect(transport);
  return server;
}

function build(
  builder: ServerBuilder,
  era: "legacy" | "modern",
): ReturnType<ServerBuilder["build"]> {
  const server = builder.build(era, "connection");
  // In the legacy era the server may send nothing before the client is initialized.
  if (era === "modern") builder.announce(server);
  else server.oninitialized = () => builder.announce(server);
  return server;
}

function isHandshake(message: JSONRPCMessage): boolean {
  if (!("method" in message) || message.method !== "initialize") return false;
  const meta = message.params?._meta as Readonly<Record<string, unknown>> | undefined;
  return meta?.[PROTOCOL_VERSION_META_KEY] === undefined;
}
