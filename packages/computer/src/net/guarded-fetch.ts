import { parseAllowedHost } from "./allowed-host.ts";
import type { ConnectionPool } from "./guarded-fetch-pool.ts";
import type { ResolveName } from "./resolve-name.ts";

/** Options of `createGuardedFetch`. */
export interface GuardedFetchOptions {
  /** Hosts that a person named, `HOST` or `HOST:PORT`; these may have private addresses. */
  readonly allowedHosts: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: ResolveName;
}

/**
 * Creates a `fetch` for servers that a person named. Bodies stream. Every connection goes to a
 * checked address: a public one unless the host is in `allowedHosts`. Redirects are followed for
 * `GET` and `HEAD` only, each checked like the first request. Failures are `TypeError`s whose cause
 * is a `ToolError`.
 */
export function createGuardedFetch({ allowedHosts, resolve }: GuardedFetchOptions): typeof fetch {
  const policy = {
    grant: { mayReach: () => true },
    allowedHosts: allowedHosts.map(parseAllowedHost),
    resolve,
  };
  let pool: ConnectionPool | undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    // Loaded on first use: Node's HTTP module is slow to load, and most commands need no network.
    const { fetchGuarded } = await import("./guarded-fetch-request.ts");
    const { createConnectionPool } = await import("./guarded-fetch-pool.ts");
    pool ??= createConnectionPool();
    return fetchGuarded(request, { policy, pool });
  };
}
