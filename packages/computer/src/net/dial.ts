import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { untilAborted } from "@haft/core/internal";

// Long enough for any reachable host; after it, the next address is tried.
const attemptMs = 4_000;

/** Connects to the first of these addresses that answers, and to no other address. */
export async function dial(
  { addresses, port }: { readonly addresses: readonly string[]; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({
    // Never looked up: the lookup function below answers with the checked addresses.
    host: "checked.invalid",
    port,
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    allowHalfOpen: true,
    noDelay: true,
  });
  // Users of the socket add their own listeners; without any, an error would end the process.
  socket.on("error", () => {});
  try {
    await untilAborted({ signal }, connected(socket));
    requireAmong(addresses, socket.remoteAddress);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, _options, answer) => answer(null, found);
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("The connection was closed.")));
  });
}

// However the connection came about, the peer must be one of the addresses that were checked.
function requireAmong(addresses: readonly string[], remote: string | undefined): void {
  if (remote !== undefined && addresses.some((address) => isSame(address, remote))) return;
  throw new Error("The connection leads to a different address than the one that was checked.");
}

function isSame(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]/`).hostname : address;
}
