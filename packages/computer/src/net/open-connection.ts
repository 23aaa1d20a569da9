import { isIP, type Socket } from "node:net";
import { connect as startTls } from "node:tls";
import { untilAborted } from "@haft/core";
import { dial } from "./dial.ts";
import { findAddresses, type NetPolicy } from "./net-policy.ts";
import type { WebUrl } from "./web-url.ts";

/** What a request may do, and until when. */
export interface Journey {
  readonly policy: NetPolicy;
  readonly signal: AbortSignal;
}

/** Connects to a server at an address that was checked, with TLS where the URL says so. */
export async function openConnection(target: WebUrl, { policy, signal }: Journey): Promise<Socket> {
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
