import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import type { Log } from "../operations/logging.ts";
import type { Metrics } from "../operations/metrics.ts";
import type { RequestEnd, Telemetry } from "../operations/trace.ts";
import { Problem } from "../problem.ts";
import type { AdmittedRequest } from "./admit-requests.ts";
import { securityHeaders } from "./security-headers.ts";

/** The observers of requests. */
export interface RequestWatchers {
  readonly metrics?: Metrics | undefined;
  readonly telemetry?: Telemetry | undefined;
  readonly log?: Log | undefined;
}

/** Tracks running requests. */
export interface RequestWatch {
  /** The first hook of every request. */
  readonly receive: onRequestHookHandler;
  readonly draining: boolean;
  /** Refuses new requests. Resolves when none is running any more, or after the grace period. */
  drain(graceMs: number): Promise<void>;
}

// Operators can still query these while the server stops.
const servedToTheEnd = new Set(["/healthz", "/readyz", "/metrics"]);

/** Creates a tracker of a server's requests. */
export function createRequestWatch(watchers: RequestWatchers): RequestWatch {
  const { telemetry } = watchers;
  const watched = Object.values(watchers).some((watcher) => watcher !== undefined);
  let draining = false;
  let underWay = 0;
  let onIdle = (): void => {};

  const leave = (): void => {
    underWay--;
    if (underWay === 0) onIdle();
  };

  return {
    receive: (request, reply, done) => {
      underWay++;
      reply.headers(securityHeaders);
      reply.header("x-request-id", request.id);
      const refusal = draining ? findRefusal(request, reply) : undefined;
      if (!watched) {
        reply.raw.on("close", leave);
        return refusal === undefined ? done() : done(refusal);
      }
      const startedAt = performance.now();
      let endSpan: ((end: RequestEnd) => void) | undefined;
      reply.raw.on("close", () => {
        leave();
        endSpan?.({
          status: reply.raw.statusCode,
          organization: principalOf(request)?.organization,
        });
        report(watchers, request, {
          status: reply.raw.statusCode,
          ms: performance.now() - startedAt,
        });
      });
      if (refusal !== undefined) return done(refusal);
      if (telemetry === undefined) return done();
      const { method, headers } = request;
      endSpan = telemetry.traceRequest({ method, headers, route: routeOf(request) }, done);
    },
    get draining() {
      return draining;
    },
    drain: async (graceMs) => {
      draining = true;
      if (underWay === 0) return;
      const idle = Promise.withResolvers<void>();
      onIdle = idle.resolve;
      const patience = setTimeout(idle.resolve, graceMs);
      await idle.promise;
      clearTimeout(patience);
    },
  };
}

function findRefusal(request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  // Callers that are still served must come back on another connection, too.
  reply.header("connection", "close");
  if (servedToTheEnd.has(routeOf(request))) return undefined;
  return new Problem(503, "The server is stopping. Try again in a few seconds.", {
    "retry-after": "5",
  });
}

function report(
  { metrics, log }: RequestWatchers,
  request: FastifyRequest,
  { status, ms }: { readonly status: number; readonly ms: number },
): void {
  const route = `${request.method} ${routeOf(request)}`;
  metrics?.recordRequest(route, status, ms / 1_000);
  if (log === undefined) return;
  const principal = principalOf(request);
  log.info(
    {
      request_id: request.id,
      route,
      status,
      duration_ms: Math.round(ms * 1_000) / 1_000,
      organization: principal?.organization,
      key_id: principal?.keyId,
    },
    "request",
  );
}

/** Returns the pattern, not the path, to keep ids and secrets out of metrics and logs. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "(none)";
}

function principalOf(request: FastifyRequest): AdmittedRequest["principal"] | undefined {
  return (request as Partial<AdmittedRequest>).principal;
}
