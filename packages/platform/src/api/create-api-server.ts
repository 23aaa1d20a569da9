import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Authenticator } from "../auth/authenticator.ts";
import { toErrorFields } from "../operations/logging.ts";
import type { PlatformSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import { createMethodFinder } from "./allowed-methods.ts";
import { describeApi } from "./describe-api.ts";
import { findErrorAnswer, invalidJsonSentence, toFaultAnswer } from "./error-answer.ts";
import { type Health, operationsServed, registerOperations } from "./operations-routes.ts";
import { registerRateLimits } from "./rate-limits.ts";
import { registerRoutes } from "./register-routes.ts";
import { createRequestIds } from "./request-ids.ts";
import type { AnyRoute } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";
import { createRequestWatch, type RequestWatchers } from "./watch-requests.ts";

/** What the server serves, to whom, and who looks on. */
export interface ApiServerParts extends RequestWatchers {
  readonly routes: readonly AnyRoute[];
  readonly authenticator: Authenticator;
  readonly settings: Pick<PlatformSettings, "requestsPerMinute" | "mostBodyBytes">;
  readonly version: string;
  readonly health: Health;
  readonly metricsToken?: string | undefined;
  /** How long requests that are under way may take once the server is to stop; 10 seconds. */
  readonly graceMs?: number;
}

/** Answers requests that somebody else listens for. */
export interface ApiServer {
  readonly fastify: FastifyInstance;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Refuses new requests and waits for those under way. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

const defaultGraceMs = 10_000;
// Version constraints stand in paths, and can be long.
const mostParameterLength = 1_000;
const mostShownOfPath = 200;

/** Makes the server of the API. It does not listen. */
export async function createApiServer(parts: ApiServerParts): Promise<ApiServer> {
  const server = fastify({
    bodyLimit: parts.settings.mostBodyBytes,
    exposeHeadRoutes: false,
    genReqId: createRequestIds(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: mostParameterLength },
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders).header("x-request-id", request.id);
      sendError(parts, reply as FastifyReply, error);
    },
  });
  // The routes check by themselves what comes in, and what goes out is written as it is. The
  // library has the schemas for the description only.
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  parseJson(server);

  const watch = createRequestWatch(parts);
  server.decorateRequest("principal");
  server.addHook("onRequest", watch.receive);
  server.setErrorHandler((error, _request, reply) => sendError(parts, reply, error));
  server.setNotFoundHandler(createNotFound(parts.routes));

  const limits = await registerRateLimits(server, {
    perMinute: parts.settings.requestsPerMinute,
    onLimited: (route) => parts.metrics?.recordRateLimited(route),
  });
  registerOperations(server, { ...parts, isDraining: () => watch.draining });
  await describeApi(server, parts.version);
  await registerRoutes(server, parts.routes, { ...limits, limits, ...parts });
  await server.ready();

  return {
    fastify: server,
    handle: (request, response) => server.routing(request, response),
    drain: () => watch.drain(parts.graceMs ?? defaultGraceMs),
    close: () => server.close(),
  };
}

/** JSON and nothing else. An empty body is none, also where its type is given. */
function parseJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parseWarily = server.getDefaultJsonParser("error", "error");
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = body as string;
    if (text.length === 0) done(null, undefined);
    else if (mayPollute(text)) void parseWarily(request, text, done);
    else done(null, parsePlainly(text));
  });
}

/** Without escapes the names of a prototype are in the text as they are, or not at all. */
function mayPollute(text: string): boolean {
  return text.includes("\\u") || text.includes("__proto__") || text.includes("constructor");
}

function parsePlainly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, invalidJsonSentence);
  }
}

function sendError(parts: ApiServerParts, reply: FastifyReply, error: unknown): void {
  let answer = findErrorAnswer(error);
  if (answer === undefined) {
    const errorId = randomUUID();
    parts.log?.error(
      { error_id: errorId, request_id: reply.request.id, ...toErrorFields(error) },
      "fault",
    );
    answer = toFaultAnswer(errorId);
  }
  // What is left of a body is read and forgotten: who is cut off while sending never sees the answer.
  if (answer.status !== 503) reply.removeHeader("connection");
  reply.code(answer.status).headers(answer.headers).send(answer.body);
}

function createNotFound(
  routes: readonly AnyRoute[],
): (request: FastifyRequest, reply: FastifyReply) => void {
  const findMethods = createMethodFinder([
    ...operationsServed,
    ...routes.map((route) => ({
      url: route.url,
      methods: "methods" in route ? route.methods : [route.method],
    })),
  ]);
  return (request, reply) => {
    const [path = ""] = request.url.split("?");
    const place = `${request.method} ${path.slice(0, mostShownOfPath)}`;
    const methods = findMethods(path);
    if (methods.length === 0) {
      reply.code(404).send({ detail: `There is nothing at ${place}.` });
      return;
    }
    const allowed = methods.join(", ");
    reply
      .code(405)
      .header("allow", allowed)
      .send({ detail: `There is nothing at ${place}. This path takes ${allowed}.` });
  };
}
