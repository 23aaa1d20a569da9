import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo, ListenOptions, Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEgressEntry } from "./egress/egress-entry.ts";
import { createEgressGate, type EgressGate, type EgressPolicy } from "./egress/egress-gate.ts";
import { Handles } from "./egress/handles.ts";
import { createProxyCredentials, type ProxyCredentials } from "./egress/proxy-credentials.ts";

export type { EgressPolicy } from "./egress/egress-gate.ts";

/** A proxy of one run's own: HTTP CONNECT, plain HTTP and SOCKS5 on one socket. */
export interface Egress {
  /** A Unix socket that any user of this machine could open who knew its name; it is not guessable. */
  readonly socketPath: string;
  /** For programs without a sandbox: the same on 127.0.0.1, `http://user:secret@127.0.0.1:port`. */
  openPort(): Promise<string>;
  /** Whether it keeps this process alive: yes unless said. */
  keepAlive(isNeeded: boolean): void;
  /** The hosts that were asked for and refused so far. */
  refused(): readonly string[];
  /** Ends every connection at once. */
  close(): Promise<void>;
}

/** Opens a way out. */
export async function openEgress(policy: EgressPolicy): Promise<Egress> {
  const ending = new AbortController();
  const handles = new Handles();
  const gate = countIn(createEgressGate(policy, ending.signal), handles);
  const open = (credentials?: ProxyCredentials): Server =>
    handles
      .add(createEgressEntry(gate, credentials))
      .on("connection", (socket) => void handles.add(socket));
  const directory = mkdtempSync(join(findPlace(), "haft-egress-"));
  const close = async (): Promise<void> => {
    ending.abort(new Error("The way out is closed."));
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    // Others can pass through to what they know the name of, and can't look around.
    chmodSync(directory, 0o711);
    const socketPath = join(directory, randomBytes(12).toString("hex"));
    await listen(open(), { path: socketPath }, ending.signal);
    chmodSync(socketPath, 0o666);
    let port: Promise<string> | undefined;
    return {
      socketPath,
      openPort: () => {
        port ??= openPort(open, ending.signal);
        return port;
      },
      keepAlive: (isNeeded) => handles.keepAlive(isNeeded),
      refused: () => gate.refused(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

// The name of a socket has a hundred characters at most.
function findPlace(): string {
  return tmpdir().length > 50 ? "/tmp" : tmpdir();
}

function countIn(gate: EgressGate, handles: Handles): EgressGate {
  return { ...gate, open: async (host, port) => handles.add(await gate.open(host, port)) };
}

async function openPort(
  open: (credentials: ProxyCredentials) => Server,
  signal: AbortSignal,
): Promise<string> {
  const credentials = createProxyCredentials();
  const server = open(credentials);
  await listen(server, { host: "127.0.0.1", port: 0 }, signal);
  const { port } = server.address() as AddressInfo;
  return `http://${credentials.user}:${credentials.secret}@127.0.0.1:${port}`;
}

/** Listens until the signal fires, and then ends all connections with it. */
function listen(server: Server, where: ListenOptions, signal: AbortSignal): Promise<void> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw signal.reason;
    signal.addEventListener("abort", stop, { once: true });
    server.once("error", reject);
    server.listen(where, resolve);
  });
}
