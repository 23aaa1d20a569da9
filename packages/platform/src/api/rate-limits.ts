import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../problem.ts";
import type { AdmittedRequest } from "./admit-requests.ts";
import { RateCounter } from "./rate-counter.ts";

/** The rate limits of a server. */
export interface RateLimits {
  /** For authenticated routes: per key and route. */
  readonly known: rateLimit.RateLimitOptions;
  /** For open routes: per address and route. */
  readonly open: rateLimit.RateLimitOptions;
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
  // The library states the remaining seconds. Clients expect the time, as seconds since 1970.
  const stateTime = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const reset = reply.getHeader("x-ratelimit-reset");
    if (typeof reset === "number" && reset <= windowMs / 1_000) {
      reply.header("x-ratelimit-reset", toEpochSeconds(reset));
    }
  };
  server.addHook("preHandler", stateTime);
  server.addHook("onSend", stateTime);
  const refusals = server.createRateLimit({
    max: Math.max(minRefusals, limits.perMinute),
    timeWindow: windowMs,
    keyGenerator: toAddress,
  });
  return {
    known: {
      max: limits.perMinute,
      cache: maxCallers,
      keyGenerator: (request) => (request as AdmittedRequest).principal.keyId,
    },
    open: { max: limits.perMinute, cache: maxCallers, keyGenerator: toAddress },
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
