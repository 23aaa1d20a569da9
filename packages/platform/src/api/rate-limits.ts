import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../problem.ts";
import type { AdmittedRequest } from "./admit-requests.ts";

/** How often something may be asked for. */
export interface RateLimits {
  /** Of routes that only known callers use: for each key and route. */
  readonly known: rateLimit.RateLimitOptions;
  /** Of routes that anybody uses: for each address and route. */
  readonly open: rateLimit.RateLimitOptions;
  /**
   * Counts a refused request against the address that it came from. A caller with a good credential
   * is never held up by what others behind the same address do wrong.
   */
  countRefusal(request: FastifyRequest, reply: FastifyReply): Promise<Problem | undefined>;
}

const windowMs = 60_000;
// Of each route, for its own count: callers that have not been seen for longest are forgotten.
const mostCallers = 50_000;
const leastRefusals = 1_000;

/** Adds rate limits to a server; a route takes part with one of them as its `config.rateLimit`. */
export async function registerRateLimits(
  server: FastifyInstance,
  limits: { readonly perMinute: number; onLimited(route: string): void },
): Promise<RateLimits> {
  await server.register(rateLimit, {
    global: false,
    hook: "onRequest",
    timeWindow: windowMs,
    errorResponseBuilder: (_request, { ttl }) => tooMany(Math.ceil(ttl / 1_000)),
    onExceeded: (request) => limits.onLimited(request.routeOptions.url ?? ""),
  });
  const refusals = server.createRateLimit({
    max: Math.max(leastRefusals, limits.perMinute),
    timeWindow: windowMs,
    keyGenerator: toAddress,
  });
  return {
    known: {
      max: limits.perMinute,
      cache: mostCallers,
      keyGenerator: (request) => (request as AdmittedRequest).principal.keyId,
    },
    open: { max: limits.perMinute, cache: mostCallers, keyGenerator: toAddress },
    countRefusal: async (request, reply) => {
      const state = await refusals(request);
      if (state.isAllowed) return undefined;
      reply.header("x-ratelimit-limit", state.max);
      reply.header("x-ratelimit-remaining", state.remaining);
      reply.header("x-ratelimit-reset", state.ttlInSeconds);
      if (!state.isExceeded) return undefined;
      limits.onLimited(request.routeOptions.url ?? "");
      reply.header("retry-after", state.ttlInSeconds);
      return tooMany(state.ttlInSeconds);
    },
  };
}

/** A network of IPv6 addresses counts as one. Without a network, or after the caller has gone, there is none. */
function toAddress(request: FastifyRequest): string {
  const address: string | undefined = request.socket.remoteAddress;
  return address === undefined ? "none" : rateLimit.normalizeIP(address);
}

function tooMany(seconds: number): Problem {
  return new Problem(429, `There were too many requests. Try again in ${seconds} seconds.`);
}
