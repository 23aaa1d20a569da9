import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { token } from "./open-workbench.ts";

/** What to send; a body that is not a string goes as JSON. */
export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Leaves the token out. */
  readonly anonymous?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Fails where the body isn't JSON. */
  json<Body>(): Body;
}

/** Sends bytes as they are and gives what comes back until the server hangs up. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

/** Sends a request as no browser would let a page send it: with any `Host` and `Origin`. */
export async function send(url: string, sending: Sending = {}): Promise<Reply> {
  const { method, body, anonymous = false } = sending;
  const outgoing = request(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    // A connection of its own, so that none is left behind.
    agent: false,
    headers: {
      ...(anonymous ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...sending.headers,
    },
  });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  const [response] = await answered;
  const content = await text(response);
  return {
    status: response.statusCode as number,
    headers: response.headers,
    text: content,
    json: () => JSON.parse(content),
  };
}
