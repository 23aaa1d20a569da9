import { connect, type Socket } from "node:net";
import { compileRequirements } from "@haft/contract";
import { onTestFinished } from "vitest";
import { parseAllowedHost } from "../net/allowed-host.ts";
import { type Egress, openEgress } from "../net/egress.ts";
import type { NetSetup } from "./open-net.ts";

/** What a test's egress lets through. Default: every host. */
export interface EgressSetup extends Omit<NetSetup, "signal"> {
  readonly only?: readonly string[];
  readonly onlyPublic?: boolean;
}

/** Opens an egress for the running test. */
export async function openTestEgress(setup: EgressSetup = {}): Promise<Egress> {
  const egress = await openEgress({
    grant: compileRequirements({ net: { hosts: setup.hosts ?? ["*"] } }, {}),
    allowedHosts: (setup.allow ?? []).map(parseAllowedHost),
    resolve: setup.resolve,
    hosts: setup.only,
    onlyPublic: setup.onlyPublic,
  });
  onTestFinished(() => egress.close());
  return egress;
}

/** Says something to a socket, and waits for the end of what it says. */
export async function talk(path: string, words: string | Uint8Array): Promise<Buffer> {
  const socket = connect(path);
  socket.write(words);
  return listen(socket);
}

/** All that comes until the other side ends or breaks the connection. */
export async function listen(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
  await new Promise<void>((resolve) => {
    socket.once("end", resolve).once("close", () => resolve());
  });
  socket.destroy();
  return Buffer.concat(chunks);
}
