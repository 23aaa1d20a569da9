import {
  type AgentCapabilities,
  type AgentContext,
  agent,
  type ClientCapabilities,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";
import type { AcpBackend } from "./acp-backend.ts";
import { createAcpClient } from "./acp-client.ts";
import type { DelegatedParts } from "./delegation/delegate-computer.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { type LiveSession, openLiveSession } from "./sessions/live-session.ts";
import { createOpenSessions } from "./sessions/open-sessions.ts";
import type { SessionWish } from "./sessions/session-open.ts";

/** The streams of a connection, with one JSON message per line. */
export interface AcpStreams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/** Options of `serveAcp`. */
export interface AcpServing {
  /** Version that the agent reports. */
  readonly version: string;
  /** What goes through the client if it supports it. Default: `all`. */
  readonly delegate?: DelegatedParts | undefined;
  /** Receives warnings. */
  warn(message: string): void;
}

const capabilities: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, audio: false, embeddedContext: true },
  // The MCP client does not support the old SSE transport.
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
};

/**
 * Serves one client of the Agent Client Protocol. Resolves when the client has disconnected and all its
 * sessions are closed.
 *
 * @example
 * ```ts
 * import { Readable, Writable } from "node:stream";
 * import { type AcpBackend, serveAcp } from "@haft/agent/acp";
 *
 * async function serve(backend: AcpBackend): Promise<void> {
 *   const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
 *   const output = Writable.toWeb(process.stdout);
 *   await serveAcp(backend, { input, output }, { version: "1.0.0", warn: console.error });
 * }
 * ```
 */
export async function serveAcp(
  backend: AcpBackend,
  { input, output }: AcpStreams,
  { version, delegate = "all", warn }: AcpServing,
): Promise<void> {
  const book = createOpenSessions(warn);
  let offered: ClientCapabilities = {};
  const open = async (wish: SessionWish, context: AgentContext): Promise<LiveSession> => {
    const opened = await book.open(wish.sessionId, () => {
      const client = createAcpClient(context, offered);
      return openLiveSession(wish, { backend, client, delegated: delegate });
    });
    // After the response: before it, a client does not know the session.
    setImmediate(() => opened.announce());
    return opened;
  };

  const { session } = methods.agent;
  const connection = agent({ name: "haft" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      offered = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "haft", title: "Haft", version },
        agentCapabilities: capabilities,
        authMethods: [],
      };
    })
    .onRequest(session.new, async ({ params, client }) => {
      const { id: sessionId, modes } = await open({ ...params, sessionId: undefined }, client);
      return { sessionId, modes };
    })
    .onRequest(session.load, async ({ params, client }) => {
      const opened = await open(params, client);
      opened.replay();
      return { modes: opened.modes };
    })
    .onRequest(session.resume, async ({ params, client }) => {
      const { modes } = await open(params, client);
      return { modes };
    })
    .onRequest(session.list, ({ params }) =>
      listSessions(backend.list(params.cwd ?? undefined), params.cursor),
    )
    .onRequest(session.close, async ({ params }) => {
      await book.close(params.sessionId);
      return {};
    })
    .onRequest(session.setMode, ({ params }) => {
      book.get(params.sessionId).setMode(params.modeId);
      return {};
    })
    .onRequest(session.prompt, async ({ params, signal }) => ({
      stopReason: await book.get(params.sessionId).prompt(params.prompt, signal),
    }))
    // A notification has no response: cancelling an unknown session does nothing.
    .onNotification(session.cancel, ({ params }) => book.find(params.sessionId)?.cancel())
    .connect(ndJsonStream(output, input));

  await connection.closed;
  await book.closeAll();
}
