import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { ToolError } from "@haft/contract";
import { explainFailure } from "../explain-failure.ts";
import { readWebUrl, type WebUrl } from "../web-url.ts";
import type { EgressGate } from "./egress-gate.ts";
import { forwardedHeaders, withHeader } from "./forwarded-headers.ts";
import { isProxyUser, type ProxyCredentials, readBasic } from "./proxy-credentials.ts";
import { idleMs, relay } from "./relay.ts";

const maxHeaderBytes = 32 * 1024;

/** Creates the HTTP side of the proxy: `CONNECT`, and requests with an absolute URL. */
export function createHttpProxy(
  gate: EgressGate,
  credentials: ProxyCredentials | undefined,
): (socket: Socket) => void {
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    // Old programs send no Host header; the URL has the host.
    requireHostHeader: false,
    keepAliveTimeout: 15_000,
  });
  server.timeout = idleMs;
  const isKnown = ({ headers }: IncomingMessage): boolean =>
    credentials === undefined ||
    isProxyUser(credentials, readBasic(headers["proxy-authorization"]));
  server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isKnown(incoming)) void openTunnel({ incoming, socket, head }, gate);
    else refuseTunnel(socket, unknownUser);
  });
  server.on("request", (incoming, outgoing) => {
    if (isKnown(incoming)) void forward(incoming, outgoing, gate);
    else answer(outgoing, unknownUser);
  });
  return (socket) => server.emit("connection", socket);
}

/** The header of a refusal with its reason, which tells it from the response of a server. */
const reasonHeader = "Haft-Refusal";

interface Refusal {
  readonly status: number;
  readonly text: string;
}

const unknownUser: Refusal = {
  status: 407,
  text: "This proxy serves only the command that Haft started it for.",
};

interface TunnelRequest {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

async function openTunnel(
  { incoming, socket, head }: TunnelRequest,
  gate: EgressGate,
): Promise<void> {
  // The client's connection may break while the other side is dialled.
  socket.on("error", () => socket.destroy());
  try {
    const [, host = "", port = ""] = /^(.+):(\d{1,5})$/su.exec(incoming.url ?? "") ?? [];
    const upstream = await gate.open(host, Number(port));
    if (socket.destroyed) {
      upstream.destroy();
      return;
    }
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    relay(socket as Socket, upstream);
  } catch (error) {
    refuseTunnel(socket, toRefusal(error));
  }
}

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  gate: EgressGate,
): Promise<void> {
  const target = readWebUrl(incoming.url ?? "");
  if (typeof target === "string" || target.isSecure) {
    answer(outgoing, { status: 400, text: "This is a proxy: request http://host/path from it." });
    return;
  }
  try {
    const upstream = await gate.open(target.host, target.port);
    if (outgoing.destroyed) upstream.destroy();
    else passOn({ incoming, outgoing, target }, upstream);
  } catch (error) {
    answer(outgoing, toRefusal(error));
  }
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly target: WebUrl;
}

function passOn({ incoming, outgoing, target }: Exchange, upstream: Socket): void {
  const isChunked = incoming.headers["transfer-encoding"] !== undefined;
  const headers = withHeader(forwardedHeaders(incoming.rawHeaders), "Host", target.authority);
  const sent = request({
    createConnection: () => upstream,
    method: incoming.method ?? "GET",
    path: `${target.url.pathname}${target.url.search}`,
    headers: isChunked ? withHeader(headers, "Transfer-Encoding", "chunked") : headers,
    setHost: false,
    maxHeaderSize: maxHeaderBytes,
  });
  const fail = (error: unknown): void => {
    upstream.destroy();
    if (outgoing.headersSent) outgoing.destroy();
    else answer(outgoing, toRefusal(explainFailure(error, target.authority)));
  };
  sent.on("error", fail);
  sent.once("upgrade", () => fail(new Error("The server switched protocols.")));
  sent.once("response", (response) => {
    try {
      outgoing.sendDate = false;
      outgoing.writeHead(response.statusCode ?? 502, forwardedHeaders(response.rawHeaders));
      pipeline(response, outgoing, () => upstream.destroy());
    } catch (error) {
      fail(error);
    }
  });
  outgoing.once("close", () => upstream.destroy());
  incoming.pipe(sent);
}

function toRefusal(error: unknown): Refusal {
  if (!ToolError.isInstance(error)) return { status: 502, text: "The connection failed." };
  const status = statuses[error.code] ?? 502;
  return { status, text: error.message };
}

const statuses: Readonly<Record<string, number>> = { "out-of-scope": 403, timeout: 504 };

function answer(outgoing: ServerResponse, { status, text }: Refusal): void {
  if (outgoing.destroyed) return;
  // The request's body is not read, so that nothing can follow it.
  outgoing.writeHead(status, toReason(text), toHeaders({ status, text }));
  outgoing.end(toBody(text));
}

function refuseTunnel(socket: Duplex, refusal: Refusal): void {
  if (socket.destroyed) return;
  socket.on("error", () => {});
  const headers = Object.entries(toHeaders(refusal)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const first = `HTTP/1.1 ${refusal.status} ${toReason(refusal.text)}\r\n`;
  socket.end(`${first}${headers.join("")}\r\n${toBody(refusal.text)}`);
}

const maxReasonLength = 1_000;

/** The text as a status line can carry it. Most programs show that line, and few the body. */
function toReason(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, "?").slice(0, maxReasonLength);
}

function toBody(text: string): string {
  return `Haft: ${text}\n`;
}

function toHeaders({ status, text }: Refusal): Record<string, string> {
  return {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(toBody(text))),
    [reasonHeader]: toReason(text),
    Connection: "close",
    ...(status === 407 && { "Proxy-Authenticate": 'Basic realm="Haft"' }),
  };
}
