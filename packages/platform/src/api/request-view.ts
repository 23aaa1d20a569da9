import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Principal } from "../auth/principal.ts";
import type { ApiRequest } from "./route.ts";

/** A request as a route sees it. The signal is created on first use, because few routes need it. */
export class RequestView implements ApiRequest {
  readonly principal: Principal;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, response: ServerResponse, principal: Principal) {
    this.principal = principal;
    this.params = request.params;
    this.query = request.query;
    this.body = request.body;
    this.headers = request.headers;
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#signal ??= abortedWith(this.#response);
    return this.#signal;
  }
}

function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) controller.abort(new Error("The caller disconnected."));
  };
  if (response.destroyed) abort();
  else response.once("close", abort);
  return controller.signal;
}
