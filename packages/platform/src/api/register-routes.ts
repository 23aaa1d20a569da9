import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { type Admission, type AdmittedRequest, admitRequests } from "./admit-requests.ts";
import { toOperation } from "./operation-schema.ts";
import type { RateLimits } from "./rate-limits.ts";
import { createRequestChecks, type RequestCheck } from "./request-checks.ts";
import { RequestView } from "./request-view.ts";
import type { AnyRoute, ApiReply, OpenRoute, RawRoute, Route } from "./route.ts";
import { streamEvents } from "./stream-events.ts";

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/** Registers routes on a server. */
export async function registerRoutes(
  server: FastifyInstance,
  routes: readonly AnyRoute[],
  admission: Admission & { readonly limits: RateLimits },
): Promise<void> {
  const { limits } = admission;
  const toCheck = createRequestChecks();
  for (const route of routes) {
    if ("handleRaw" in route) continue;
    const check = requireCheck(route, toCheck);
    const shared = { method: route.method, url: route.url, schema: toOperation(route) };
    if ("handleOpen" in route) {
      const options = {
        ...shared,
        ...limits.createOpen(route.perMinute),
        handler: answerAnybody(route, check),
      };
      if (route.acceptsForm === true) await registerForm(server, options);
      else server.route(options);
    } else {
      server.route({
        ...shared,
        onRequest: [admitRequests(admission, route), limits.createKnown()],
        handler: answerCaller(route, check),
      });
    }
  }
  await server.register(async (bare) => {
    // The route reads the body itself, whatever its type is.
    bare.removeAllContentTypeParsers();
    bare.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const route of routes) {
      if (!("handleRaw" in route)) continue;
      for (const method of route.methods) bare.route(toRawOptions(route, method, admission));
    }
  });
}

/** Registers a route that also accepts forms. No other route does. */
async function registerForm(server: FastifyInstance, options: RouteOptions): Promise<void> {
  await server.register(async (own) => {
    own.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );
    own.route(options);
  });
}

function requireCheck(
  route: Route | OpenRoute,
  toCheck: ReturnType<typeof createRequestChecks>,
): RequestCheck {
  try {
    return toCheck(route.schema);
  } catch (cause) {
    throw new Error(`The schema of the route ${route.operationId} can't be used.`, { cause });
  }
}

function answerCaller(route: Route, check: RequestCheck): Handler {
  return (request, reply) => {
    check(request);
    const view = new RequestView(request, reply.raw, (request as AdmittedRequest).principal);
    answer(reply, route.handle(view));
  };
}

function answerAnybody(route: OpenRoute, check: RequestCheck): Handler {
  return (request, reply) => {
    check(request);
    answer(reply, route.handleOpen(new RequestView(request, reply.raw, noPrincipal)));
  };
}

// Open routes can't read the principal. The view is shared with the other routes.
const noPrincipal = undefined as unknown as AdmittedRequest["principal"];

function answer(reply: FastifyReply, answered: ReturnType<Route["handle"]>): void {
  answered
    .then((answer) => sendReply(reply, answer))
    .catch((error: unknown) => reply.send(toError(error)));
}

const json = "application/json; charset=utf-8";

function sendReply(reply: FastifyReply, answer: ApiReply): void {
  reply.code(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (answer.events !== undefined) {
    streamEvents(reply, answer.events);
    return;
  }
  const { body } = answer;
  const isSent = typeof body === "string" || body instanceof Uint8Array || body instanceof Readable;
  if (body === undefined || isSent) {
    reply.send(body);
    return;
  }
  reply.header("content-type", json).send(JSON.stringify(body));
}

function toRawOptions(
  route: RawRoute,
  method: RawRoute["methods"][number],
  admission: Admission & { readonly limits: RateLimits },
): RouteOptions {
  return {
    method,
    url: route.url,
    schema: toOperation(route, method),
    onRequest: [admitRequests(admission, route), admission.limits.createKnown()],
    handler: (request, reply) => {
      const { principal } = request as AdmittedRequest;
      const params = request.params as Readonly<Record<string, string>>;
      // The server's headers apply unless the route sets them itself.
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      route.handleRaw(request.raw, reply.raw, { principal, params }).catch((error: unknown) => {
        if (reply.raw.headersSent) reply.raw.destroy();
        else reply.send(toError(error));
      });
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error("A value that is not an error was thrown.");
}
