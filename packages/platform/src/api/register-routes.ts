import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { type Admission, type AdmittedRequest, admitRequests } from "./admit-requests.ts";
import { toOperation } from "./operation-schema.ts";
import type { RateLimits } from "./rate-limits.ts";
import { createRequestChecks, type RequestCheck } from "./request-checks.ts";
import { RequestView } from "./request-view.ts";
import type { AnyRoute, OpenRoute, RawRoute, Route } from "./route.ts";
import { sendReply } from "./send-reply.ts";

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/** Puts routes on a server. */
export async function registerRoutes(
  server: FastifyInstance,
  routes: readonly AnyRoute[],
  admission: Admission & { readonly limits: RateLimits },
): Promise<void> {
  const { known, open } = admission.limits;
  const toCheck = createRequestChecks();
  for (const route of routes) {
    if ("handleRaw" in route) continue;
    const check = requireCheck(route, toCheck);
    const shared = { method: route.method, url: route.url, schema: toOperation(route) };
    if ("handleOpen" in route) {
      server.route({
        ...shared,
        config: { rateLimit: open },
        handler: answerAnybody(route, check),
      });
    } else {
      server.route({
        ...shared,
        config: { rateLimit: known },
        onRequest: admitRequests(admission, route),
        handler: answerCaller(route, check),
      });
    }
  }
  await server.register(async (bare) => {
    // The body belongs to the route, whatever it is.
    bare.removeAllContentTypeParsers();
    bare.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const route of routes) {
      if (!("handleRaw" in route)) continue;
      for (const method of route.methods) bare.route(toRawOptions(route, method, admission));
    }
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
    answer(reply, route.handleOpen(new RequestView(request, reply.raw, nobody)));
  };
}

// An open route's request has no member of this name; the view of it is the same for all.
const nobody = undefined as unknown as AdmittedRequest["principal"];

function answer(reply: FastifyReply, answered: ReturnType<Route["handle"]>): void {
  answered
    .then((answer) => sendReply(reply, answer))
    .catch((error: unknown) => reply.send(toError(error)));
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
    config: { rateLimit: admission.limits.known },
    onRequest: admitRequests(admission, route),
    handler: (request, reply) => {
      const { principal } = request as AdmittedRequest;
      const params = request.params as Readonly<Record<string, string>>;
      // What the server has to say goes along unless the route says otherwise.
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
  return error instanceof Error ? error : new Error("Something that is no error was thrown.");
}
