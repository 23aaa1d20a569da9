import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { untilAborted } from "@haft/core";

// Long enough for any host that is there; the next address may answer though this one does not.
const attemptMs = 4_000;

/** Connects to one of these addresses, the first that answers, and to no other. */
export async function dial(
  { addresses, port }: { readonly addresses: readonly string[]; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({
    // Never looked up: the function below answers for it.
    host: "checked.invalid",
    port,
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    allowHalfOpen: true,
    noDelay: true,
  });
  // Whoever uses the socket hears of errors too; without anybody they would end the process.
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

// What the system says we are connected to has to be what was judged, however it came about.
function requireAmong(addresses: readonly string[], remote: string | undefined): void {
  if (remote !== undefined && addresses.some((address) => isSame(address, remote))) return;
  throw new Error("The connection leads to another address than the one that was checked.");
}

function isSame(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]/`).hostname : address;
}
