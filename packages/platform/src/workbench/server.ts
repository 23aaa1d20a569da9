import { setTimeout as delay } from "node:timers/promises";
import { createOriginGuard, type RequestGuard } from "@haft/computer/internal";
import type { Session } from "@haft/core";
import { isTextNestedDeeper, maxJsonDepth } from "@haft/core/internal";
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from "fastify";
import { toErrorCode, toErrorReply } from "./error-reply.ts";
import { guardRequests } from "./guard-requests.ts";
import { callRoutes, toolsRoute } from "./routes/calls.ts";
import { mountRoutes } from "./routes/mounts.ts";
import { healthRoutes, statusRoute } from "./routes/status.ts";
import { securityHeaders } from "./security-headers.ts";
import type { WorkbenchHost } from "./workbench-host.ts";
import type { WorkbenchMount } from "./workbench-mount.ts";

/** The parts of the server. */
export interface ServerParts {
  readonly session: Session;
  readonly host: WorkbenchHost;
  /** Refuses requests without the token. */
  readonly tokenGuard: RequestGuard;
  readonly version: string;
  readonly workspace: string;
  readonly hostname: string;
  readonly mounts: readonly WorkbenchMount[];
}

const maxBodyBytes = 10 * 1024 * 1024;
const receiveTimeoutMs = 60_000;
// Longer than a session gives its calls to stop.
const lastRepliesMs = 3_000;

/** Creates the workbench's HTTP server. It does not listen yet. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const server = fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: receiveTimeoutMs,
    forceCloseConnections: true,
    // Requests are checked as sent: no coercion, no defaults, no removed members.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    frameworkErrors: (error, _request, reply) => {
      void reply.headers(securityHeaders);
      sendError(error, reply);
    },
  });
  // JSON only: pages of other origins can send forms and plain text without a preflight request.
  server.removeAllContentTypeParsers();
  const parse = server.getDefaultJsonParser("error", "error");
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = body as string;
    if (isTextNestedDeeper(text)) done(tooDeep());
    else void parse(request, text, done);
  });
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

function tooDeep(): FastifyError {
  const message = `The body's arrays and objects are nested more than ${maxJsonDepth} deep. Send flatter data.`;
  return Object.assign(new Error(message), { name: "TooDeep", code: "TOO_DEEP", statusCode: 400 });
}

function sendError(error: FastifyError, reply: FastifyReply): void {
  const status = error.statusCode ?? 500;
  void reply.code(status).send(toErrorReply(toErrorCode(status), error.message));
}

/** On close, stops calls and lets their replies go out before connections are cut. */
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
