import { createServer, type Server, type Socket } from "node:net";
import type { EgressGate } from "./egress-gate.ts";
import { createHttpProxy } from "./http-proxy.ts";
import type { ProxyCredentials } from "./proxy-credentials.ts";
import { idleMs } from "./relay.ts";
import { serveSocks, socksVersion } from "./socks-proxy.ts";

const maxConnections = 64;

/** Creates a server, not listening yet, for HTTP and SOCKS; the first byte tells which. */
export function createEgressEntry(
  gate: EgressGate,
  credentials: ProxyCredentials | undefined,
): Server {
  const serveHttp = createHttpProxy(gate, credentials);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.setTimeout(idleMs, () => socket.destroy());
    void firstByte(socket).then((byte) => {
      if (byte === undefined) socket.destroy();
      else if (byte === socksVersion) void serveSocks(socket, gate, credentials);
      else serveHttp(socket);
    });
  });
  server.maxConnections = maxConnections;
  return server;
}

/** Peeks at the first byte; `undefined` if none arrives. */
function firstByte(socket: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    const settle = (byte: number | undefined): void => {
      socket.off("readable", look).off("end", none).off("close", none);
      resolve(byte);
    };
    const none = (): void => settle(undefined);
    const look = (): void => {
      const chunk = socket.read() as Uint8Array | null;
      if (chunk === null) return;
      settle(chunk[0]);
      socket.unshift(chunk);
    };
    socket.on("readable", look).on("end", none).on("close", none);
  });
}
