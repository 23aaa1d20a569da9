import { ToolError } from "@haft/contract";
import { untilAborted } from "@haft/core";
import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import { messageOf } from "../message-of.ts";
import { toPlainText } from "../text/plain-text.ts";
import type { ServerTransport } from "../transport/server-transport.ts";
import { explainRefusal } from "./explain-refusal.ts";

/** A server that is connected. */
export interface McpConnection {
  readonly client: Client;
  readonly transport: ServerTransport;
  /** It speaks the protocol's earlier revisions only. */
  readonly isLegacy: boolean;
  /** Resolves when the connection has ended, with the reason as the end of a sentence. */
  readonly ended: Promise<string>;
  /** What a failure of the connection's means to whoever called: `unavailable`, and why. */
  toFailure(error: unknown): Promise<ToolError>;
  /** Lets this process stay for the connection's sake until what it returns is called. */
  hold(): () => void;
  close(): Promise<void>;
}

/** How to connect. */
export interface ConnectOptions {
  /** What the server is called in messages. */
  readonly name: string;
  /** The version of ours that it is told. */
  readonly version?: string;
  /** Makes the way to it; a second one where the server took the first question amiss and ended. */
  createTransport(): Promise<ServerTransport>;
  /** It is known to speak the earlier revisions only. */
  readonly legacy?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long it may take to answer the greeting: ten seconds unless said. */
  readonly patienceMs?: number | undefined;
  /** Is told when the server says that its tools have changed. */
  onToolsChanged?(): void;
  /** What else the library's client is to be like, such as capabilities of a test's. */
  readonly client?: ClientOptions;
  /** Is given the client before it connects, to add handlers of its own. */
  configure?(client: Client): void;
}

const usualPatience = 10_000;
// Of it, how long a server on a pipe may be silent about the question that only newer ones know.
const probePart = 0.3;

/** Connects to a server, whichever era of the protocol it speaks. Fails with `unavailable`. */
export async function connectMcp(options: ConnectOptions): Promise<McpConnection> {
  const deadline = performance.now() + (options.patienceMs ?? usualPatience);
  try {
    return await attempt(options, { legacy: options.legacy === true, deadline });
  } catch (error) {
    // Some earlier servers end when asked what they don't know; they get another chance, unasked.
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
  const probe = "pid" in transport ? Math.ceil(timeout * probePart) : timeout;
  const { onToolsChanged } = options;
  const client = new Client(
    { name: "haft", version: options.version ?? "0.1.0" },
    {
      ...options.client,
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
      const why = refusal ?? (client.transport === undefined ? await ended : messageOf(error));
      const text = `The MCP server ${options.name} is gone: ${toClause(why)}.`;
      return new ToolError("unavailable", text, { cause: error });
    },
    close: () => client.close(),
  };
}

// What others say may be a sentence of its own already.
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
    super(messageOf(cause), { cause });
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
        ? `it did not answer within ${(options.patienceMs ?? usualPatience) / 1000} seconds`
        : error.message,
    ));
  throw new ToolError(
    "unavailable",
    `The MCP server ${options.name} is not available: ${toClause(why)}.`,
    { cause: error.cause },
  );
}
