import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import { untilAborted } from "@haft/core/internal";
import { type ConnectOptions, openConnection } from "./open-connection.ts";
import type { HeaderFields } from "./request-headers.ts";
import type { WebUrl } from "./web-url.ts";

/** One request to one server. */
export interface WebRequest {
  readonly target: WebUrl;
  readonly method: string;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array | undefined;
}

/** Larger response headers are refused. */
const maxHeaderBytes = 32 * 1024;

/** Returns the arguments of Node's `request` that say what is sent, without the connection. */
export function toRequestArguments({ target, method, headers }: WebRequest): RequestOptions {
  return {
    method,
    path: `${target.url.pathname}${target.url.search}`,
    headers: { ...standard, ...headers, host: target.authority },
    setHost: false,
    maxHeaderSize: maxHeaderBytes,
  };
}

/** Resolves with the answer once its headers are there. */
export function untilAnswer(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once("response", resolve).on("error", reject);
    // We did not offer another protocol.
    outgoing.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new Error("The server switched protocols."));
    });
  });
}

/** Sends a request to a checked address. Resolves when the headers are there; the body streams. */
export async function sendRequest(
  asked: WebRequest,
  options: ConnectOptions,
): Promise<IncomingMessage> {
  const { signal } = options;
  const socket = await openConnection(asked.target, options);
  const end = (): void => {
    socket.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
  try {
    const outgoing = request({
      ...toRequestArguments(asked),
      createConnection: () => socket,
    });
    const answer = untilAnswer(outgoing);
    outgoing.end(asked.body);
    return await untilAborted({ signal }, answer);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const standard: HeaderFields = {
  "user-agent": "Haft",
  accept: "*/*",
  "accept-encoding": "gzip, deflate, br, zstd",
};
