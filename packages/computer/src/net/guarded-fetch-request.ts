import { ToolError } from "@haft/contract";
import { explainFailure } from "./explain-failure.ts";
import { followRedirect, isRedirect } from "./follow-redirect.ts";
import type { ConnectionPool } from "./guarded-fetch-pool.ts";
import { toResponse } from "./guarded-fetch-response.ts";
import type { NetPolicy } from "./net-policy.ts";
import { type HeaderFields, reservedHeaders } from "./request-headers.ts";
import type { WebRequest } from "./send-request.ts";
import { requireWebUrl, showUrl } from "./web-url.ts";

/** The address policy of a fetch, and its open connections. */
export interface FetchContext {
  readonly policy: NetPolicy;
  readonly pool: ConnectionPool;
}

/** Sends a request to a checked address, and follows redirects of `GET` and `HEAD`. */
export async function fetchGuarded(
  given: Request,
  { policy, pool }: FetchContext,
): Promise<Response> {
  const { signal } = given;
  let request: WebRequest | undefined;
  try {
    signal.throwIfAborted();
    request = await readRequest(given);
    for (let redirects = 0; ; redirects++) {
      const answer = await pool.send(request, { policy, signal });
      if (!isRedirect(answer) || given.redirect === "manual") {
        return toResponse(answer, { request, signal, isRedirected: redirects > 0 });
      }
      const next = followRedirect(request, answer, redirects);
      requireFollowing(request, next, given.redirect);
      request = next;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const failure = explainFailure(error, request === undefined ? "It" : showUrl(request.target));
    throw new TypeError(failure.message, { cause: failure });
  }
}

async function readRequest(given: Request): Promise<WebRequest> {
  const target = requireWebUrl(given.url);
  const headers: HeaderFields = Object.fromEntries(
    [...given.headers].filter(([name]) => !reservedHeaders.has(name)),
  );
  const { method } = given;
  const body = given.body === null ? undefined : new Uint8Array(await given.arrayBuffer());
  return { target, method, headers: { ...headers, "accept-encoding": "gzip, deflate" }, body };
}

// A request that may change something is never sent to a server that the caller did not name.
function requireFollowing(
  { method, target }: WebRequest,
  next: WebRequest,
  mode: Request["redirect"],
): void {
  if (mode !== "error" && (method === "GET" || method === "HEAD")) return;
  throw new ToolError(
    "failed",
    `${showUrl(target)} redirects ${method} to ${showUrl(next.target)}, which is not followed. Use that URL instead if it is the right one.`,
  );
}
