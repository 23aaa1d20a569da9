import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { ServerBuilder } from "../build-server.ts";
import { toErrorResponse } from "./error-response.ts";

/** Sessions of legacy clients. In a session a server can send requests to its client. */
export interface LegacySessions {
  fetch(request: Request, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** Limits on the number of sessions and on their idle time. */
export interface SessionLimits {
  readonly maxSessions: number;
  readonly idleMs: number;
}

const defaultLimits: SessionLimits = { maxSessions: 64, idleMs: 30 * 60 * 1000 };

interface LegacySession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  /** Number of open responses, including the notification stream. */
  open: number;
  lastUsed: number;
}

/** Keeps sessions until the client ends them, they are idle too long, or room is needed. */
export function createLegacySessions(
  builder: ServerBuilder,
  { maxSessions, idleMs }: SessionLimits = defaultLimits,
): LegacySessions {
  const sessions = new Map<string, LegacySession>();
  const sweep = setInterval(() => void endIdle(idleMs), Math.max(idleMs / 10, 10)).unref();

  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  };
  const endIdle = async (ms: number): Promise<void> => {
    const before = performance.now() - ms;
    for (const [id, { open, lastUsed }] of sessions) {
      if (open === 0 && lastUsed <= before) await end(id);
    }
  };
  const makeRoom = async (): Promise<boolean> => {
    if (sessions.size < maxSessions) return true;
    const idle = Array.from(sessions).filter(([, { open }]) => open === 0);
    const [oldest] = idle.sort(([, one], [, other]) => one.lastUsed - other.lastUsed);
    if (oldest === undefined) return false;
    await end(oldest[0]);
    return true;
  };
  const begin = async (): Promise<LegacySession> => {
    const server = builder.build("legacy", "connection");
    server.oninitialized = () => builder.announce(server);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    });
    const session = { transport, server, open: 0, lastUsed: performance.now() };
    await server.connect(transport);
    return session;
  };
  const serve = async (
    session: LegacySession,
    request: Request,
    body: unknown,
  ): Promise<Response> => {
    session.open++;
    const ended = (): void => {
      session.open--;
      session.lastUsed = performance.now();
    };
    try {
      const parsed = body === undefined ? {} : { parsedBody: body };
      return untilRead(await session.transport.handleRequest(request, parsed), ended);
    } catch (error) {
      ended();
      throw error;
    }
  };

  return {
    fetch: async (request, body) => {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) {
        const session = sessions.get(id);
        return session === undefined
          ? toErrorResponse(404, "Unknown session. It may have ended. Initialize a new one.")
          : serve(session, request, body);
      }
      if (!isInitializeRequest(body)) {
        return toErrorResponse(
          400,
          "Send an initialize request first, then the Mcp-Session-Id of its response.",
        );
      }
      if (!(await makeRoom()))
        return toErrorResponse(503, `All ${maxSessions} sessions are in use. Try again later.`);
      const session = await begin();
      const response = await serve(session, request, body);
      // A refused initialization leaves no session to close later.
      if (!response.ok) await session.server.close();
      return response;
    },
    close: async () => {
      clearInterval(sweep);
      await Promise.all(Array.from(sessions.keys(), end));
    },
  };
}

// Calls `ended` when the response was read to its end or abandoned.
function untilRead(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  const { status, headers } = response;
  const watched = new TransformStream<Uint8Array, Uint8Array>();
  // A stream that is not read to its end rejects here; that is an end too.
  response.body
    .pipeTo(watched.writable)
    .catch(() => {})
    .finally(ended);
  return new Response(watched.readable, { status, headers });
}
