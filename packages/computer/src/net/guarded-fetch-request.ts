import type { IncomingMessage } from "node:http";
import { ToolError } from "@haft/contract";
import { explainFailure } from "./explain-failure.ts";
import type { ConnectionPool } from "./guarded-fetch-pool.ts";
import { toResponse } from "./guarded-fetch-response.ts";
import type { NetPolicy } from "./net-policy.ts";
import { type HeaderFields, keepAcrossOrigins, reservedHeaders } from "./request-headers.ts";
import type { WebRequest } from "./send-request.ts";
import { readWebUrl, showUrl, type WebUrl } from "./web-url.ts";

const mostRedirects = 20;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Where connections may lead, and those that are open. */
export interface FetchPlace {
  readonly policy: NetPolicy;
  readonly pool: ConnectionPool;
}

/** Sends a request to a judged address, and follows where it leads as far as that is allowed. */
export async function fetchGuarded(
  given: Request,
  { policy, pool }: FetchPlace,
): Promise<Response> {
  const { signal } = given;
  let request: WebRequest | undefined;
  try {
    signal.throwIfAborted();
    request = await readRequest(given);
    for (let redirects = 0; ; redirects++) {
      const answer = await pool.send(request, { policy, signal });
      const location = findLocation(answer);
      if (location === undefined || given.redirect === "manual") {
        return toResponse(answer, { request, signal, isRedirected: redirects > 0 });
      }
      answer.destroy();
      request = follow(request, { location, mode: given.redirect, redirects });
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const failure = explainFailure(error, request === undefined ? "It" : showUrl(request.target));
    throw new TypeError(failure.message, { cause: failure });
  }
}

async function readRequest(given: Request): Promise<WebRequest> {
  const target = requireUrl(given.url);
  const headers: HeaderFields = Object.fromEntries(
    [...given.headers].filter(([name]) => !reservedHeaders.has(name)),
  );
  const { method } = given;
  const body = given.body === null ? undefined : new Uint8Array(await given.arrayBuffer());
  return { target, method, headers: { ...headers, "accept-encoding": "gzip, deflate" }, body };
}

function findLocation({ headers, statusCode = 0 }: IncomingMessage): string | undefined {
  const { location } = headers;
  if (location === undefined || !redirectStatuses.has(statusCode)) return undefined;
  // Servers write these in UTF-8 though headers have no such thing.
  return Buffer.from(location, "latin1").toString("utf8");
}

interface Redirect {
  readonly location: string;
  readonly mode: Request["redirect"];
  readonly redirects: number;
}

function follow(request: WebRequest, { location, mode, redirects }: Redirect): WebRequest {
  const { target: from, method, headers } = request;
  const target = requireUrl(location, from.url);
  if (mode === "error" || (method !== "GET" && method !== "HEAD")) {
    throw new ToolError(
      "failed",
      `${showUrl(from)} redirects ${method} to ${showUrl(target)}, which is not followed. Use that URL instead if it is the right one.`,
    );
  }
  if (redirects === mostRedirects) {
    throw new ToolError("failed", `${showUrl(from)} leads on and on: ${redirects} redirects.`);
  }
  const isSameOrigin = target.url.origin === from.url.origin;
  return { ...request, target, headers: isSameOrigin ? headers : keepAcrossOrigins(headers) };
}

function requireUrl(text: string, base?: URL): WebUrl {
  const read = readWebUrl(text, base);
  if (typeof read !== "string") return read;
  throw new ToolError(
    "invalid-arguments",
    `The URL ${read}. Give one such as https://example.com.`,
  );
}
