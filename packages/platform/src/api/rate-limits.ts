import rateLimit from "@fastify/rate-limit";
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteShorthandOptions,
} from "fastify";
import { Problem } from "../problem.ts";
import type { AdmittedRequest } from "./admit-requests.ts";
import { RateCounter } from "./rate-counter.ts";

/** The rate limits of a server. */
export interface RateLimits {
  /** Returns the hook of an authenticated route: per key and route. It comes after authentication. */
  createKnown(): onRequestHookHandler;
  /** Returns the options of an open route: per address and route. */
  createOpen(perMinute?: number): Pick<RouteShorthandOptions, "config" | "preHandler" | "onSend">;
  /**
   * Counts a refused request against its address. Callers with a valid credential are not limited by
   * refusals of others behind the same address.
   */
  countRefusal(request: FastifyRequest, reply: FastifyReply): Promise<Problem | undefined>;
}

const windowMs = 60_000;
// Per route. The callers that were seen longest ago are dropped.
const maxCallers = 50_000;
const minRefusals = 1_000;

/** Adds rate limits to a server. A route uses one of them as its `config.rateLimit`. */
export async function registerRateLimits(
  server: FastifyInstance,
  limits: { readonly perMinute: number; onLimited(route: string): void },
): Promise<RateLimits> {
  await server.register(rateLimit, {
    global: false,
    hook: "onRequest",
    store: RateCounter,
    timeWindow: windowMs,
    errorResponseBuilder: (_request, { ttl }) => tooMany(Math.ceil(ttl / 1_000)),
    onExceeded: (request) => limits.onLimited(request.routeOptions.url ?? ""),
  });
  const refusals = server.createRateLimit({
    max: Math.max(minRefusals, limits.perMinute),
    timeWindow: windowMs,
    keyGenerator: toAddress,
  });
  return {
    createKnown: () => createKeyLimit(limits),
    createOpen: (perMinute = limits.perMinute) => {
      const max = Math.min(perMinute, limits.perMinute);
      return {
        config: { rateLimit: { max, cache: maxCallers, keyGenerator: toAddress } },
        preHandler: stateTime,
        onSend: stateTime,
      };
    },
    countRefusal: async (request, reply) => {
      const state = await refusals(request);
      if (state.isAllowed) return undefined;
      reply.header("x-ratelimit-limit", state.max);
      reply.header("x-ratelimit-remaining", state.remaining);
      reply.header("x-ratelimit-reset", toEpochSeconds(state.ttlInSeconds));
      if (!state.isExceeded) return undefined;
      limits.onLimited(request.routeOptions.url ?? "");
      reply.header("retry-after", state.ttlInSeconds);
      return tooMany(state.ttlInSeconds);
    },
  };
}

/**
 * Creates the limit of one route for each key. The library would have every request wait for several
 * promises.
 */
function createKeyLimit({
  perMinute,
  onLimited,
}: {
  readonly perMinute: number;
  onLimited(route: string): void;
}): onRequestHookHandler {
  const counter = new RateCounter({ cache: maxCallers });
  return (request, reply, done) => {
    const { keyId } = (request as AdmittedRequest).principal;
    const { current, ttl } = counter.count(keyId, windowMs);
    const seconds = Math.ceil(ttl / 1_000);
    reply.header("x-ratelimit-limit", perMinute);
    reply.header("x-ratelimit-remaining", Math.max(0, perMinute - current));
    reply.header("x-ratelimit-reset", toEpochSeconds(seconds));
    if (current <= perMinute) {
      done();
      return;
    }
    onLimited(request.routeOptions.url ?? "");
    reply.header("retry-after", seconds);
    done(tooMany(seconds));
  };
}

/** The library states the remaining seconds. Clients expect the time, as seconds since 1970. */
function stateTime(_request: FastifyRequest, reply: FastifyReply, ...rest: unknown[]): void {
  const reset = reply.getHeader("x-ratelimit-reset");
  if (typeof reset === "number" && reset <= windowMs / 1_000) {
    reply.header("x-ratelimit-reset", toEpochSeconds(reset));
  }
  // The last argument is what to call, with the payload if there is one.
  const done = rest.pop() as (error: null, payload?: unknown) => void;
  done(null, ...rest);
}

/** Returns the address of a caller; of IPv6 only the network. It is absent once the caller disconnected. */
function toAddress(request: FastifyRequest): string {
  const address: string | undefined = request.socket.remoteAddress;
  return address === undefined ? "none" : rateLimit.normalizeIP(address);
}

function toEpochSeconds(seconds: number): number {
  return Math.ceil(Date.now() / 1_000) + seconds;
}

function tooMany(seconds: number): Problem {
  return new Problem(429, `Too many requests. Try again in ${seconds} seconds.`);
}
