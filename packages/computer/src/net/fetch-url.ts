import type { IncomingMessage } from "node:http";
import { type NetRequest, type NetResponse, ToolError } from "@haft/contract";
import { explainFailure } from "./explain-failure.ts";
import type { Journey } from "./open-connection.ts";
import { readBody } from "./read-body.ts";
import { keepAcrossOrigins, readHeaders, withoutBody } from "./request-headers.ts";
import { sendRequest, type WebRequest } from "./send-request.ts";
import { readWebUrl, requireWebUrl, showUrl } from "./web-url.ts";

const mostRedirects = 20;
const mostBytes = 10 * 1024 * 1024;

/** Asks for a URL and follows where it leads; every hop is judged like the first. */
export async function fetchUrl(asked: NetRequest, journey: Journey): Promise<NetResponse> {
  let request: WebRequest = {
    target: requireWebUrl(asked.url),
    method: readMethod(asked),
    headers: readHeaders(asked.headers),
    body: asked.body,
  };
  for (let redirects = 0; ; redirects++) {
    const response = await send(request, journey);
    const next = followRedirect(request, response);
    if (next === undefined) return take({ request, response, asked });
    response.destroy();
    if (redirects === mostRedirects) {
      throw new ToolError(
        "failed",
        `${showUrl(request.target)} leads on and on: followed ${mostRedirects} redirects, and there are more.`,
      );
    }
    request = next;
  }
}

async function send(request: WebRequest, journey: Journey): Promise<IncomingMessage> {
  try {
    return await sendRequest(request, journey);
  } catch (error) {
    throw explainFailure(error, showUrl(request.target));
  }
}

interface Answer {
  readonly request: WebRequest;
  readonly response: IncomingMessage;
  readonly asked: NetRequest;
}

async function take({ request, response, asked }: Answer): Promise<NetResponse> {
  const most = Math.max(0, asked.maxBytes ?? mostBytes);
  try {
    const taken = await readBody(response, most);
    return {
      url: request.target.url.href,
      status: response.statusCode ?? 0,
      headers: flatten(response.headersDistinct),
      ...taken,
    };
  } catch (error) {
    throw explainFailure(error, showUrl(request.target));
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

function followRedirect(request: WebRequest, response: IncomingMessage): WebRequest | undefined {
  const { location } = response.headers;
  const status = response.statusCode ?? 0;
  if (location === undefined || !redirectStatuses.has(status)) return undefined;
  const target = readWebUrl(fromLatin1(location), request.target.url);
  if (typeof target === "string") {
    response.destroy();
    throw new ToolError(
      "out-of-scope",
      `${showUrl(request.target)} redirects to what can't be followed: the URL ${target}.`,
    );
  }
  const isSameOrigin = target.url.origin === request.target.url.origin;
  const headers = isSameOrigin ? request.headers : keepAcrossOrigins(request.headers);
  if (keepsMethod(status, request.method)) return { ...request, target, headers };
  return { target, method: "GET", headers: withoutBody(headers), body: undefined };
}

function keepsMethod(status: number, method: string): boolean {
  if (status === 307 || status === 308) return true;
  return method === "HEAD" || (status !== 303 && method !== "POST") || method === "GET";
}

// Servers write these in UTF-8 though headers have no such thing.
function fromLatin1(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

function readMethod({ method = "GET", body }: NetRequest): string {
  const wanted = method.toUpperCase();
  const takesBody = wanted !== "GET" && wanted !== "HEAD";
  if (methods.has(wanted) && (takesBody || body === undefined)) return wanted;
  throw new ToolError(
    "invalid-arguments",
    `The method ${JSON.stringify(method)} can't be sent${methods.has(wanted) ? " with a body" : ""}.`,
  );
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

// Cookies are nobody's business: none are ever sent back.
function flatten(distinct: NodeJS.Dict<string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(distinct)
      .filter(([name]) => name !== "set-cookie" && name !== "__proto__")
      .map(([name, values]) => [name, (values ?? []).join(", ")]),
  );
}
