import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { toPlainText, untilAborted } from "@haft/core/internal";
import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import type { ServerTransport } from "../transport/server-transport.ts";
import { boundedValidator } from "./bounded-validator.ts";
import { explainRefusal } from "./explain-refusal.ts";

/** A connection to an MCP server. */
export interface McpConnection {
  readonly client: Client;
  readonly transport: ServerTransport;
  /** Whether the server supports only the protocol revisions before 2026. */
  readonly isLegacy: boolean;
  /** Resolves when the connection ends, with the reason as a clause such as "it ended". */
  readonly ended: Promise<string>;
  /** Turns a failure of the connection into an `unavailable` error that says why. */
  toFailure(error: unknown): Promise<ToolError>;
  /** Keeps this process alive for the connection until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

/** Options of `connectMcp`. */
export interface ConnectOptions {
  /** The server's name in messages. */
  readonly name: string;
  /** The version that Haft reports to the server. Default: `0.1.0`. */
  readonly version?: string;
  /** Creates a transport. Called again if the server ended at the first, newer handshake. */
  createTransport(): Promise<ServerTransport>;
  /** The server is known to support only the protocol revisions before 2026. */
  readonly legacy?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time limit for the handshake, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Called when the server reports that its tools have changed. */
  onToolsChanged?(): void;
  /** Further options of the SDK's client, such as capabilities. */
  readonly client?: ClientOptions;
  /** Called with the client before it connects, to add handlers. */
  configure?(client: Client): void;
}

const defaultTimeoutMs = 10_000;
// How long a program may stay silent at the handshake only newer servers know, also as a share of the limit.
const maxProbeMs = 3_000;
const probeShare = 0.3;

/**
 * Connects to an MCP server of any protocol revision. Throws `unavailable` if that fails.
 *
 * @example
 * ```ts
 * import { connectMcp, type ServerTransport } from "@haft/connect/mcp-client";
 *
 * declare const transport: ServerTransport;
 * const connection = await connectMcp({ name: "files", createTransport: async () => transport });
 * const { tools } = await connection.client.listTools();
 * await connection.close();
 * ```
 */
export async function connectMcp(options: ConnectOptions): Promise<McpConnection> {
  const deadline = performance.now() + (options.timeoutMs ?? defaultTimeoutMs);
  try {
    return await attempt(options, { legacy: options.legacy === true, deadline });
  } catch (error) {
    // Some older servers end at the newer handshake. They are tried again with the older one.
    if (options.legacy !== true && (await isSpent(error))) {
      return await attempt(options, { legacy: true, deadline }).catch((again) =>
        fail(options, again),
      );
    }
    return fail(options, error);
  }
}

async function attempt(
  options: ConnectOptions,
  { legacy, deadline }: { readonly legacy: boolean; readonly deadline: number },
): Promise<McpConnection> {
  const { Client } = await import("@modelcontextprotocol/client");
  const transport = await options.createTransport();
  const timeout = Math.ceil(Math.max(1, deadline - performance.now()));
  const probe =
    "pid" in transport ? Math.min(maxProbeMs, Math.ceil(timeout * probeShare)) : timeout;
  const { onToolsChanged } = options;
  const client = new Client(
    { name: "haft", version: options.version ?? "0.1.0" },
    {
      ...options.client,
      jsonSchemaValidator: boundedValidator,
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probe } },
      ...(onToolsChanged !== undefined && {
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 100, onChanged: () => onToolsChanged() },
        },
      }),
    },
  );
  options.configure?.(client);
  const ended = new Promise<string>((resolve) => {
    client.onclose = () => void transport.explainEnd().then(resolve, () => resolve("it ended"));
  });
  const limit = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([limit, ...(options.signal ? [options.signal] : [])]);
  const hold = createHold(transport);
  const release = hold();
  try {
    const prior = legacy ? ({ prior: { kind: "legacy" } } as const) : {};
    await untilAborted({ signal }, client.connect(transport, { timeout, signal, ...prior }));
  } catch (error) {
    release();
    await transport.close().catch(() => {});
    if (options.signal?.aborted) throw options.signal.reason;
    throw limit.aborted ? new SilentServer(error, transport) : new FailedStart(error, transport);
  }
  release();
  const isLegacy = client.getProtocolEra() === "legacy";
  return {
    client,
    transport,
    isLegacy,
    ended,
    hold,
    toFailure: async (error) => {
      const refusal = await explainRefusal(error, options.name);
      const why = refusal ?? (client.transport === undefined ? await ended : toErrorMessage(error));
      const text = `The MCP server ${options.name} disconnected: ${toClause(why)}.`;
      return new ToolError("unavailable", text, { cause: error });
    },
    close: () => client.close(),
  };
}

// The reason may already be a sentence.
function toClause(why: string): string {
  return toPlainText(why, 2_500).replace(/[.\s]+$/u, "");
}

function createHold(transport: ServerTransport): McpConnection["hold"] {
  let held = 0;
  return () => {
    if (held++ === 0) transport.keepAlive(true);
    return () => {
      if (--held === 0) transport.keepAlive(false);
    };
  };
}

class FailedStart extends Error {
  readonly transport: ServerTransport;

  constructor(cause: unknown, transport: ServerTransport) {
    super(toErrorMessage(cause), { cause });
    this.transport = transport;
  }
}

class SilentServer extends FailedStart {}

async function isSpent(error: unknown): Promise<boolean> {
  const { SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client");
  if (!(error instanceof FailedStart) || !SdkError.isInstance(error.cause)) return false;
  return error.cause.code === SdkErrorCode.EraNegotiationFailed;
}

async function fail(options: ConnectOptions, error: unknown): Promise<never> {
  if (options.signal?.aborted || !(error instanceof FailedStart)) throw error;
  if (ToolError.isInstance(error.cause)) throw error.cause;
  const why =
    (await explainRefusal(error.cause, options.name)) ??
    (await error.transport.explainFailure(
      error instanceof SilentServer
        ? `it did not answer within ${(options.timeoutMs ?? defaultTimeoutMs) / 1000} seconds`
        : error.message,
    ));
  throw new ToolError(
    "unavailable",
    `The MCP server ${options.name} is not available: ${toClause(why)}.`,
    { cause: error.cause },
  );
}
