import type { IncomingMessage } from "node:http";
import { type NetRequest, type NetResponse, ToolError } from "@haft/contract";
import { explainFailure } from "./explain-failure.ts";
import { followRedirect, isRedirect } from "./follow-redirect.ts";
import type { ConnectOptions } from "./open-connection.ts";
import { readBody } from "./read-body.ts";
import { readHeaders } from "./request-headers.ts";
import { sendRequest, type WebRequest } from "./send-request.ts";
import { requireWebUrl, showUrl } from "./web-url.ts";

const defaultMaxBytes = 10 * 1024 * 1024;

/** Requests a URL and follows redirects; every hop is checked like the first. */
export async function fetchUrl(asked: NetRequest, options: ConnectOptions): Promise<NetResponse> {
  let request: WebRequest = {
    target: requireWebUrl(asked.url),
    method: readMethod(asked),
    headers: readHeaders(asked.headers),
    body: asked.body,
  };
  for (let redirects = 0; ; redirects++) {
    const response = await send(request, options);
    if (!isRedirect(response)) return take({ request, response, asked });
    request = followRedirect(request, response, redirects);
  }
}

async function send(request: WebRequest, options: ConnectOptions): Promise<IncomingMessage> {
  try {
    return await sendRequest(request, options);
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
  const maxBytes = Math.max(0, asked.maxBytes ?? defaultMaxBytes);
  try {
    const taken = await readBody(response, maxBytes);
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

function readMethod({ method = "GET", body }: NetRequest): string {
  const wanted = method.toUpperCase();
  const takesBody = wanted !== "GET" && wanted !== "HEAD";
  if (methods.has(wanted) && (takesBody || body === undefined)) return wanted;
  throw new ToolError(
    "invalid-arguments",
    methods.has(wanted)
      ? `A ${wanted} request can't have a body.`
      : `The method ${JSON.stringify(method)} is not supported. Use one of ${[...methods].join(", ")}.`,
  );
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

// Cookies are dropped: none are ever sent back.
function flatten(distinct: NodeJS.Dict<string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(distinct)
      .filter(([name]) => name !== "set-cookie" && name !== "__proto__")
      .map(([name, values]) => [name, (values ?? []).join(", ")]),
  );
}
