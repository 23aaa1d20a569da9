import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isTextNestedDeeper } from "@haft/core/internal";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Authenticator } from "../auth/authenticator.ts";
import { toErrorFields } from "../operations/logging.ts";
import type { PlatformSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import { createMethodFinder } from "./allowed-methods.ts";
import { describeApi } from "./describe-api.ts";
import {
  findErrorAnswer,
  invalidJsonSentence,
  toFaultAnswer,
  tooDeepSentence,
} from "./error-answer.ts";
import { type Health, operationsServed, registerOperations } from "./operations-routes.ts";
import { registerRateLimits } from "./rate-limits.ts";
import { registerRoutes } from "./register-routes.ts";
import type { AnyRoute } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";
import { createRequestWatch, type RequestWatchers } from "./watch-requests.ts";

/** The parts of an API server. */
export interface ApiServerParts extends RequestWatchers {
  readonly routes: readonly AnyRoute[];
  readonly authenticator: Authenticator;
  readonly settings: Pick<PlatformSettings, "requestsPerMinute" | "maxBodyBytes">;
  readonly version: string;
  readonly health: Health;
  readonly metricsToken?: string | undefined;
  /** How long running requests may take after a shutdown begins. Default: 10 seconds. */
  readonly graceMs?: number;
}

/** An API server without a listening socket. */
export interface ApiServer {
  readonly fastify: FastifyInstance;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Refuses new requests and waits for running ones. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

const defaultGraceMs = 10_000;
// Paths contain version constraints, which can be long.
const maxParameterLength = 1_000;
const maxShownPathLength = 200;

/** Creates the API server. It does not listen. */
export async function createApiServer(parts: ApiServerParts): Promise<ApiServer> {
  const server = fastify({
    bodyLimit: parts.settings.maxBodyBytes,
    exposeHeadRoutes: false,
    genReqId: createRequestIds(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxParameterLength },
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders).header("x-request-id", request.id);
      sendError(parts, reply as FastifyReply, error);
    },
  });
  // Fastify gets the schemas for the OpenAPI document only. Requests are checked by `request-checks.ts`,
  // with the same validator, because bodies must not be coerced while queries must, and errors have
  // the form that clients of this API expect. Replies are written by `JSON.stringify`: a page of 100
  // invocations takes 80 µs, and 160 µs with Fastify's serialiser, which also drops unknown members.
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

/** Accepts JSON only. An empty body counts as none, even with a content type. */
function parseJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parseWarily = server.getDefaultJsonParser("error", "error");
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = body as string;
    if (text.length === 0) done(null, undefined);
    else if (isTextNestedDeeper(text)) done(new Problem(400, tooDeepSentence));
    else if (mayPollute(text)) void parseWarily(request, text, done);
    else done(null, parsePlainly(text));
  });
}

/** Returns whether a text may contain the name of a prototype, possibly written with escapes. */
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
  // Keep the connection and discard the rest of the body: a client that is cut off while sending never
  // sees the answer.
  if (answer.status !== 503) reply.removeHeader("connection");
  reply.code(answer.status).headers(answer.headers).send(answer.body);
}

const acceptableId = /^[\w.-]{1,64}$/u;

/** Creates request ids: the caller's `x-request-id`, or else a number in the order of arrival. */
function createRequestIds(): (request: Pick<IncomingMessage, "headers">) => string {
  const prefix = randomBytes(6).toString("hex");
  let count = 0;
  return ({ headers }) => {
    const given = headers["x-request-id"];
    if (typeof given === "string" && acceptableId.test(given)) return given;
    return `${prefix}-${(++count).toString(36)}`;
  };
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
    const asked = `${request.method} ${path.slice(0, maxShownPathLength)}`;
    const methods = findMethods(path);
    if (methods.length === 0) {
      reply.code(404).send({ detail: `There is nothing at ${asked}.` });
      return;
    }
    const allowed = methods.join(", ");
    reply
      .code(405)
      .header("allow", allowed)
      .send({ detail: `There is nothing at ${asked}. This path accepts ${allowed}.` });
  };
}
