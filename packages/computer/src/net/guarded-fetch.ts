import { parseAllowedHost } from "./allowed-host.ts";
import type { ConnectionPool } from "./guarded-fetch-pool.ts";
import type { ResolveName } from "./resolve-name.ts";

/** Whom a guarded fetch may reach beside public addresses. */
export interface GuardedFetchOptions {
  /** Hosts that a person named, `HOST` or `HOST:PORT`; these may have private addresses. */
  readonly allowedHosts: readonly string[];
  /** The system's resolver unless said. */
  readonly resolve?: ResolveName;
}

/**
 * Makes a `fetch` for servers that a person named: bodies stream, and every connection goes to an
 * address that was judged, public unless the host is one of those allowed. Redirects are followed
 * for `GET` and `HEAD` alone, each judged like the first request. What fails is a `TypeError` whose
 * cause is a `ToolError`.
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
    // Loaded when used: Node's own HTTP takes long, and most commands never reach the net.
    const { fetchGuarded } = await import("./guarded-fetch-request.ts");
    const { createConnectionPool } = await import("./guarded-fetch-pool.ts");
    pool ??= createConnectionPool();
    return fetchGuarded(request, { policy, pool });
  };
}
