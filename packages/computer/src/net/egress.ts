import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import type { AddressInfo, ListenOptions, Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEgressEntry } from "./egress/egress-entry.ts";
import { createEgressGate, type EgressGate, type EgressPolicy } from "./egress/egress-gate.ts";
import { createProxyCredentials, type ProxyCredentials } from "./egress/proxy-credentials.ts";
import { egressPrefix } from "./egress-paths.ts";

export type { EgressPolicy } from "./egress/egress-gate.ts";

/** A proxy for one run: HTTP CONNECT, plain HTTP and SOCKS5 on one socket. */
export interface Egress {
  /** A Unix socket. Any user of this machine who knew its name could open it, so it is unguessable. */
  readonly socketPath: string;
  /** For programs without a sandbox: the same on 127.0.0.1, `http://user:secret@127.0.0.1:port`. */
  openPort(): Promise<string>;
  /** Whether it keeps this process alive. Default: yes. */
  keepAlive(isNeeded: boolean): void;
  /** The hosts that were requested and refused so far. */
  refused(): readonly string[];
  /** Ends every connection immediately. */
  close(): Promise<void>;
}

/** Opens an egress proxy. Its socket lies in its own directory below `parent`. Default: `/tmp` or similar. */
export async function openEgress(
  policy: EgressPolicy,
  parent: string = findParent(),
): Promise<Egress> {
  const ending = new AbortController();
  const handles = new Handles();
  const gate = countIn(createEgressGate(policy, ending.signal), handles);
  const open = (credentials?: ProxyCredentials): Server =>
    handles
      .add(createEgressEntry(gate, credentials))
      .on("connection", (socket) => void handles.add(socket));
  const directory = mkdtempSync(join(parent, `${egressPrefix}${process.pid}-`));
  const short = shorten(directory);
  const close = async (): Promise<void> => {
    ending.abort(new Error("The egress proxy is closed."));
    short.release();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    // Other users can open a path they know, and can't list the directory.
    chmodSync(directory, 0o711);
    const name = randomBytes(12).toString("hex");
    const socketPath = join(directory, name);
    await listen(open(), { path: join(short.path, name) }, ending.signal);
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

// A socket's path has at most about 100 characters.
const maxNameLength = 70;

function findParent(): string {
  return tmpdir().length > 50 ? "/tmp" : tmpdir();
}

/** A short alias for a directory until it is released, where the system offers one. */
function shorten(directory: string): { readonly path: string; release(): void } {
  if (directory.length <= maxNameLength || process.platform !== "linux") {
    return { path: directory, release: () => {} };
  }
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  let isReleased = false;
  return {
    path: `/proc/self/fd/${descriptor}`,
    release: () => {
      if (!isReleased) closeSync(descriptor);
      isReleased = true;
    },
  };
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

/** Servers and connections that keep this process alive together, or don't. */
class Handles {
  readonly #open = new Set<Server | Socket>();
  #isNeeded = true;

  /** Adds a handle until it is closed. */
  add<Handle extends Server | Socket>(handle: Handle): Handle {
    this.#open.add(handle);
    handle.once("close", () => this.#open.delete(handle));
    if (!this.#isNeeded) handle.unref();
    return handle;
  }

  keepAlive(isNeeded: boolean): void {
    this.#isNeeded = isNeeded;
    for (const handle of this.#open) {
      if (isNeeded) handle.ref();
      else handle.unref();
    }
  }
}
