import { subscribe } from "node:diagnostics_channel";
import dns from "node:dns";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";

// The header in which the egress proxy says why it refuses a request.
const reasonHeader = "haft-refusal";

/** A request of `fetch`, as its diagnostics channel publishes it. */
interface FetchRequest {
  readonly method: string;
  onUpgrade?(status: number, headers: readonly Uint8Array[], socket: Socket): unknown;
  onError?(error: Error): void;
}

/** Lets `fetch` and `node:http` fail with the reason that the egress proxy gives. */
export function explainProxyRefusals(): void {
  subscribe("undici:request:create", (message) => {
    const { request } = message as { readonly request: FetchRequest };
    const { onUpgrade, onError } = request;
    if (request.method !== "CONNECT" || onUpgrade === undefined || onError === undefined) return;
    request.onUpgrade = (status, headers, socket) => {
      const names = headers.map((each) => Buffer.from(each).toString("latin1"));
      const index = names.findIndex((name) => name.toLowerCase() === reasonHeader);
      if (index < 0) return onUpgrade.call(request, status, headers, socket);
      socket.on("error", () => {}).destroy();
      return onError.call(request, toError(names[index + 1] ?? ""));
    };
  });
  subscribe("http.client.response.finish", (message) => {
    const { request, response } = message as {
      readonly request: ClientRequest;
      readonly response: IncomingMessage;
    };
    const reason = response.headers[reasonHeader];
    if (reason === undefined) return;
    // Without a listener the response is discarded.
    request.removeAllListeners("response");
    request.destroy(toError(String(reason)));
  });
}

function toError(reason: string): Error {
  return Object.assign(new Error(reason), { code: "ERR_PROXY_TUNNEL" });
}

/** Lets lookups of names fail with the reason why there is no network, where `readRefusal` has one. */
export function explainLookups(readRefusal: () => string | undefined): void {
  const { lookup } = dns as unknown as { lookup(...given: unknown[]): unknown };
  const explained = (...given: unknown[]): unknown => {
    const done = given.pop();
    if (typeof done !== "function") return lookup(...given, done);
    return lookup(...given, (error: unknown, ...found: unknown[]) => {
      const refusal = readRefusal();
      if (error instanceof Error && refusal !== undefined) error.message = `${given[0]} ${refusal}`;
      done(error, ...found);
    });
  };
  // Its symbols tell `promisify` what it returns.
  Object.defineProperties(explained, Object.getOwnPropertyDescriptors(lookup));
  Object.assign(dns, { lookup: explained });
}
