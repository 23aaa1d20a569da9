import { setTimeout as delay } from "node:timers/promises";
import { createOriginGuard, type RequestGuard } from "@haft/computer";
import type { Session } from "@haft/core";
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from "fastify";
import { toErrorCode, toErrorReply } from "./error-reply.ts";
import { guardRequests } from "./guard-requests.ts";
import { callRoutes } from "./routes/calls.ts";
import { healthRoutes } from "./routes/health.ts";
import { mountRoutes } from "./routes/mounts.ts";
import { pageRoutes } from "./routes/page.ts";
import { statusRoute } from "./routes/status.ts";
import { toolsRoute } from "./routes/tools.ts";
import { securityHeaders } from "./security-headers.ts";
import type { WorkbenchHost } from "./workbench-host.ts";
import type { WorkbenchMount } from "./workbench-mount.ts";

/** What the server serves, and to whom. */
export interface ServerParts {
  readonly session: Session;
  readonly host: WorkbenchHost;
  /** Refuses who does not bring the token. */
  readonly tokenGuard: RequestGuard;
  readonly version: string;
  readonly workspace: string;
  readonly hostname: string;
  readonly mounts: readonly WorkbenchMount[];
}

const mostBodyBytes = 10 * 1024 * 1024;
const receiveTimeoutMs = 60_000;
// Longer than a session gives its calls to stop.
const lastRepliesMs = 3_000;

/** Makes the workbench's HTTP server; it does not listen yet. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const server = fastify({
    bodyLimit: mostBodyBytes,
    requestTimeout: receiveTimeoutMs,
    forceCloseConnections: true,
    // What is sent is what is judged: nothing is turned into another type or left out.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    frameworkErrors: (error, _request, reply) => {
      void reply.headers(securityHeaders);
      sendError(error, reply);
    },
  });
  // Only JSON: a form or a page that may send plain text without asking has nothing to say here.
  server.removeContentTypeParser("text/plain");
  server.addHook("onRequest", async (_request, reply) => {
    reply.headers(securityHeaders);
  });
  server.addHook("onRequest", guardRequests(createOriginGuard(parts.hostname)));
  server.setErrorHandler<FastifyError>((error, _request, reply) => sendError(error, reply));
  server.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send(toErrorReply("not-found", `There is no ${request.method} ${request.url} here.`)),
  );
  finishReplies(server, async () => {
    parts.session.abort("The workbench was stopped.");
    await Promise.all(parts.mounts.map((mount) => mount.close()));
  });

  await server.register(healthRoutes(parts));
  await server.register(await pageRoutes());
  await server.register(
    async (api) => {
      api.addHook("onRequest", guardRequests(parts.tokenGuard));
      await api.register(toolsRoute(parts));
      await api.register(callRoutes(parts));
      await api.register(statusRoute(parts));
    },
    { prefix: "/api" },
  );
  await server.register(mountRoutes(parts));
  return server;
}

function sendError(error: FastifyError, reply: FastifyReply): void {
  const status = error.statusCode ?? 500;
  void reply.code(status).send(toErrorReply(toErrorCode(status), error.message));
}

/** At the end has calls stop and their replies go out before connections are cut. */
function finishReplies(server: FastifyInstance, stop: () => Promise<void>): void {
  const underWay = new Set<Promise<unknown>>();
  server.addHook("onRequest", async (_request, reply) => {
    const ended = new Promise((resolve) => reply.raw.once("close", resolve));
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
  });
  server.addHook("preClose", async () => {
    await stop();
    await Promise.race([Promise.all(underWay), delay(lastRepliesMs, undefined, { ref: false })]);
  });
}
