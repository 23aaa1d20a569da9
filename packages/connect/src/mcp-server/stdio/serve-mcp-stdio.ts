import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServerBuilder, type ServerBuilder } from "../build-server.ts";
import type { McpServing } from "../mcp-serving.ts";
import { LineTransport } from "./line-transport.ts";

/** Where a client on the other end of two pipes is. */
export interface StdioPlace {
  /** Ends serving when it fires. */
  readonly signal: AbortSignal;
  /** This process's own unless said; so is the output. */
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Serves one client over standard input and output until it is gone or the signal fires. */
export async function serveMcpStdio(serving: McpServing, place: StdioPlace): Promise<void> {
  const { signal, input = process.stdin, output = process.stdout } = place;
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
    builder.close();
  }
}

/**
 * Connects a server of the era that the client opens with. Whoever shakes hands in the legacy way
 * stays with it, and is spared what is needed to tell eras apart.
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
  const server = builder.build(era);
  // In the legacy era nothing may be said before the client has introduced itself.
  if (era === "modern") builder.announce(server);
  else server.oninitialized = () => builder.announce(server);
  return server;
}

function isHandshake(message: JSONRPCMessage): boolean {
  if (!("method" in message) || message.method !== "initialize") return false;
  const meta = message.params?._meta as Readonly<Record<string, unknown>> | undefined;
  return meta?.[PROTOCOL_VERSION_META_KEY] === undefined;
}
