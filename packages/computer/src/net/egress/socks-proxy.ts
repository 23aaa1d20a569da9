import type { Socket } from "node:net";
import { ToolError } from "@haft/contract";
import type { EgressGate } from "./egress-gate.ts";
import { isProxyUser, type ProxyCredentials } from "./proxy-credentials.ts";
import { relay } from "./relay.ts";
import { takeBytes } from "./take-bytes.ts";

/** The first byte that a SOCKS 5 client sends. */
export const socksVersion = 5;

const handshakeMs = 30_000;

/** Serves SOCKS 5 to a program: connections to names and addresses only. */
export async function serveSocks(
  socket: Socket,
  gate: EgressGate,
  credentials: ProxyCredentials | undefined,
): Promise<void> {
  socket.setTimeout(handshakeMs, () => socket.destroy());
  try {
    if (!(await welcome(socket, credentials))) return;
    const asked = await readRequest(socket);
    if (typeof asked === "number") {
      reply(socket, asked);
      return;
    }
    const upstream = await gate.open(asked.host, asked.port);
    if (socket.destroyed) {
      upstream.destroy();
      return;
    }
    socket.write(toReply(replies.done));
    relay(socket, upstream);
  } catch (error) {
    reply(socket, toReplyCode(error));
  }
}

const replies = {
  done: 0,
  failed: 1,
  notAllowed: 2,
  unreachable: 4,
  unknownCommand: 7,
  unknownAddressType: 8,
} as const;

const noPassword = 0;
const withPassword = 2;
const noneFits = 0xff;

/** Negotiates authentication, and checks the password if one is required. */
async function welcome(
  socket: Socket,
  credentials: ProxyCredentials | undefined,
): Promise<boolean> {
  const [, count = 0] = await takeBytes(socket, 2);
  const offered = await takeBytes(socket, count);
  const method = credentials === undefined ? noPassword : withPassword;
  if (!offered.includes(method)) {
    socket.end(Uint8Array.of(socksVersion, noneFits));
    return false;
  }
  socket.write(Uint8Array.of(socksVersion, method));
  if (credentials === undefined) return true;
  const [version, userLength = 0] = await takeBytes(socket, 2);
  const user = await takeText(socket, userLength);
  const [secretLength = 0] = await takeBytes(socket, 1);
  const secret = await takeText(socket, secretLength);
  const isKnown = version === 1 && isProxyUser(credentials, { user, secret });
  if (isKnown) socket.write(Uint8Array.of(1, 0));
  else socket.end(Uint8Array.of(1, 1));
  return isKnown;
}

interface SocksRequest {
  readonly host: string;
  readonly port: number;
}

const connectCommand = 1;

/** The requested destination, or the code of the reply that refuses it. */
async function readRequest(socket: Socket): Promise<SocksRequest | number> {
  const [version, command, , type] = await takeBytes(socket, 4);
  if (version !== socksVersion) return replies.failed;
  const host = await readTarget(socket, type);
  if (host === undefined) return replies.unknownAddressType;
  const [high = 0, low = 0] = await takeBytes(socket, 2);
  return command === connectCommand ? { host, port: high * 256 + low } : replies.unknownCommand;
}

async function readTarget(socket: Socket, type: number | undefined): Promise<string | undefined> {
  switch (type) {
    case 1:
      return (await takeBytes(socket, 4)).join(".");
    case 3: {
      const [length = 0] = await takeBytes(socket, 1);
      return takeText(socket, length);
    }
    case 4:
      return toAddress(await takeBytes(socket, 16));
    default:
      return undefined;
  }
}

function toAddress(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16)).join(":");
}

// One character per byte: a name that is not plain ASCII stays recognizable as such.
async function takeText(socket: Socket, length: number): Promise<string> {
  return Buffer.from(await takeBytes(socket, length)).toString("latin1");
}

function reply(socket: Socket, code: number): void {
  if (!socket.destroyed) socket.end(toReply(code));
}

// The bound address is not disclosed.
function toReply(code: number): Uint8Array {
  return Uint8Array.of(socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0);
}

function toReplyCode(error: unknown): number {
  if (!ToolError.isInstance(error)) return replies.failed;
  return error.code === "out-of-scope" ? replies.notAllowed : replies.unreachable;
}
