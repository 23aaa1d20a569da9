import { type IncomingMessage, request } from "node:http";
import { untilAborted } from "@haft/core";
import { type Journey, openConnection } from "./open-connection.ts";
import type { HeaderFields } from "./request-headers.ts";
import type { WebUrl } from "./web-url.ts";

/** One request to one server. */
export interface WebRequest {
  readonly target: WebUrl;
  readonly method: string;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array | undefined;
}

/** Larger headers than these are not taken, in bytes. */
const mostHeaderBytes = 32 * 1024;

/** Sends a request to an address that was checked. The body of the answer is still to come. */
export async function sendRequest(
  { target, method, headers, body }: WebRequest,
  journey: Journey,
): Promise<IncomingMessage> {
  const { signal } = journey;
  const socket = await openConnection(target, journey);
  const end = (): void => {
    socket.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
  try {
    const outgoing = request({
      createConnection: () => socket,
      method,
      path: `${target.url.pathname}${target.url.search}`,
      headers: { ...standard, ...headers, host: target.authority },
      setHost: false,
      maxHeaderSize: mostHeaderBytes,
    });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve).on("error", reject);
      // A server that would rather speak something else was not asked to.
      outgoing.once("upgrade", () => reject(new Error("The server changed the protocol.")));
    });
    outgoing.end(body);
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
