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
import { createSessionBook } from "./sessions/session-book.ts";
import type { SessionWish } from "./sessions/session-open.ts";

/** The two ends of a connection, as lines of JSON. */
export interface AcpStreams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/** How ACP is served. */
export interface AcpServing {
  /** What the agent says its version is. */
  readonly version: string;
  /** What goes through the client where it offers that; all unless said. */
  readonly delegate?: DelegatedParts | undefined;
  /** Is told of what went wrong beside the work itself. */
  warn(message: string): void;
}

const capabilities: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, audio: false, embeddedContext: true },
  // The old form of HTTP is nothing that our side of MCP speaks.
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
};

/**
 * Serves one client of the Agent Client Protocol. Resolves when the client is gone and everything that
 * it had open is closed.
 */
export async function serveAcp(
  backend: AcpBackend,
  { input, output }: AcpStreams,
  { version, delegate = "all", warn }: AcpServing,
): Promise<void> {
  const book = createSessionBook(warn);
  let offered: ClientCapabilities = {};
  const open = (wish: SessionWish, context: AgentContext): Promise<LiveSession> =>
    book.open(wish.sessionId, () => {
      const client = createAcpClient(context, offered);
      return openLiveSession(wish, { backend, client, delegated: delegate });
    });

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
    // Nobody waits for an answer: to stop what is not there is nothing.
    .onNotification(session.cancel, ({ params }) => book.find(params.sessionId)?.cancel())
    .connect(ndJsonStream(output, input));

  await connection.closed;
  await book.closeAll();
}
