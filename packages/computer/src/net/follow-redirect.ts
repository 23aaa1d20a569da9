import type { IncomingMessage } from "node:http";
import { ToolError } from "@haft/contract";
import { keepAcrossOrigins, withoutBody } from "./request-headers.ts";
import type { WebRequest } from "./send-request.ts";
import { readWebUrl, showUrl } from "./web-url.ts";

const maxRedirects = 20;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Returns whether an answer redirects the request. */
export function isRedirect({ headers, statusCode = 0 }: IncomingMessage): boolean {
  return headers.location !== undefined && redirectStatuses.has(statusCode);
}

/**
 * Returns the request that a redirect leads to, and closes the answer. `redirects` is the number
 * followed so far. Throws `out-of-scope` for a target that is not a web URL, and `failed` after too
 * many redirects. The new target is checked when it is connected to, like the first one.
 */
export function followRedirect(
  request: WebRequest,
  answer: IncomingMessage,
  redirects: number,
): WebRequest {
  answer.destroy();
  const { location = "" } = answer.headers;
  const target = readWebUrl(fromLatin1(location), request.target.url);
  if (typeof target === "string") {
    throw new ToolError(
      "out-of-scope",
      `${showUrl(request.target)} redirects to a URL that ${target}. It was not followed.`,
    );
  }
  if (redirects >= maxRedirects) {
    throw new ToolError(
      "failed",
      `${showUrl(request.target)} redirects too often: stopped after ${maxRedirects} redirects.`,
    );
  }
  const isSameOrigin = target.url.origin === request.target.url.origin;
  const headers = isSameOrigin ? request.headers : keepAcrossOrigins(request.headers);
  if (keepsMethod(answer.statusCode ?? 0, request.method)) return { ...request, target, headers };
  return { target, method: "GET", headers: withoutBody(headers), body: undefined };
}

function keepsMethod(status: number, method: string): boolean {
  if (status === 307 || status === 308) return true;
  return method === "HEAD" || (status !== 303 && method !== "POST") || method === "GET";
}

// Servers write this header in UTF-8, and Node decodes headers as Latin-1.
function fromLatin1(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}
