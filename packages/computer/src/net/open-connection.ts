import { isIP, type Socket } from "node:net";
import { connect as startTls } from "node:tls";
import { untilAborted } from "@haft/core/internal";
import { dial } from "./dial.ts";
import { findAddresses, type NetPolicy } from "./net-policy.ts";
import type { WebUrl } from "./web-url.ts";

/** The policy that a connection follows, and the signal that ends it. */
export interface ConnectOptions {
  readonly policy: NetPolicy;
  readonly signal: AbortSignal;
}

/** Connects to a server at a checked address, with TLS for `https` URLs. */
export async function openConnection(
  target: WebUrl,
  { policy, signal }: ConnectOptions,
): Promise<Socket> {
  const addresses = await findAddresses(target, policy, signal);
  const plain = await dial({ addresses, port: target.port }, signal);
  if (!target.isSecure) return plain;
  try {
    return await secure(plain, target, signal);
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

/** TLS for the host name of the URL, whatever address it resolved to. */
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
