import { type IncomingMessage, request } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as startTls } from "node:tls";
import { untilAborted } from "@haft/core";
import { dial } from "./dial.ts";
import { findAddresses, type NetPolicy } from "./net-policy.ts";
import type { HeaderFields } from "./request-headers.ts";
import type { WebUrl } from "./web-url.ts";

/** One request to one server. */
export interface WebRequest {
  readonly target: WebUrl;
  readonly method: string;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array | undefined;
}

/** What a request may do, and until when. */
export interface Journey {
  readonly policy: NetPolicy;
  readonly signal: AbortSignal;
}

/** Larger headers than these are not taken, in bytes. */
const mostHeaderBytes = 32 * 1024;

/** Sends a request to an address that was checked. The body of the answer is still to come. */
export async function sendRequest(
  { target, method, headers, body }: WebRequest,
  { policy, signal }: Journey,
): Promise<IncomingMessage> {
  const addresses = await findAddresses(target, policy, signal);
  const plain = await dial({ addresses, port: target.port }, signal);
  const end = (): void => {
    plain.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  plain.once("close", () => signal.removeEventListener("abort", end));
  try {
    const socket = target.isSecure ? await secure(plain, target, signal) : plain;
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
    plain.destroy();
    throw error;
  }
}

const standard: HeaderFields = {
  "user-agent": "Haft",
  accept: "*/*",
  "accept-encoding": "gzip, deflate, br, zstd",
};

/** TLS with the name that was asked for, whatever address it was found at. */
async function secure(plain: Socket, { host }: WebUrl, signal: AbortSignal): Promise<Socket> {
  const socket = startTls({
    socket: plain,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ["http/1.1"],
  });
  const ready = new Promise<void>((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.on("error", reject);
    socket.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
  });
  await untilAborted({ signal }, ready);
  return socket;
}
