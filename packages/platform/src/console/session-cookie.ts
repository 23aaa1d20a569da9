import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "../problem.ts";

// A browser has one cookie for each organization that it is signed in to. The organization in a
// request's path says which of them counts.
const prefix = "haft_session_";

/** The header that requests with a cookie need if they change something. */
const consoleHeader = "x-haft-console";

/** Returns the `Set-Cookie` header of a sign-in. With no token, the cookie is removed. */
export function toSetCookie(
  headers: IncomingHttpHeaders,
  organization: string,
  session?: { readonly token: string; readonly seconds: number },
): string {
  return [
    `${prefix}${organization}=${session?.token ?? ""}`,
    `Max-Age=${session?.seconds ?? 0}`,
    "Path=/v1",
    "HttpOnly",
    "SameSite=Strict",
    // A browser names the scheme that it sees, also behind a proxy.
    ...(headers.origin?.startsWith("https:") ? ["Secure"] : []),
  ].join("; ");
}

/** Returns the tokens of a request's cookies by organization. */
export function readSessionCookies({ cookie = "" }: IncomingHttpHeaders): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of cookie.split(";")) {
    const [name = "", value = ""] = part.trim().split("=", 2);
    if (name.startsWith(prefix) && value !== "") found.set(name.slice(prefix.length), value);
  }
  return found;
}

/**
 * Returns the `Authorization` of a request: its own, or that of the cookie for the organization. Throws
 * a `Problem` if a page of another origin may have sent the cookie.
 */
export function toAuthorization(
  method: string,
  headers: IncomingHttpHeaders,
  organization: string,
): string | undefined {
  if (headers.authorization !== undefined || headers.cookie === undefined) {
    return headers.authorization;
  }
  const token = readSessionCookies(headers).get(organization);
  if (token === undefined) return undefined;
  requireOwnPage(method, headers);
  return `Bearer ${token}`;
}

/** Refuses a request that a page of another origin may have made a browser send. */
export function requireOwnPage(method: string, headers: IncomingHttpHeaders): void {
  const site = headers["sec-fetch-site"];
  const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
  const isReading = method === "GET" || method === "HEAD";
  if (isForeign || (!isReading && (!hasOwnOrigin(headers) || !(consoleHeader in headers)))) {
    throw new Problem(
      403,
      `A cookie is accepted from the console's own pages only, with the header ${consoleHeader}. Other clients send Authorization: Bearer.`,
    );
  }
}

function hasOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined || host === undefined) return false;
  return URL.canParse(origin) && new URL(origin).host === host;
}
