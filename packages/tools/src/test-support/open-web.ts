import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { Runtime, Tool } from "@haft/contract";
import { createTestRuntime } from "@haft/contract/testing";
import { onTestFinished } from "vitest";
import { makeRunScope } from "./make-run-scope.ts";

/** A web server for the running test. */
export interface WebServer {
  readonly port: number;
  readonly origin: string;
}

/** Starts a server on 127.0.0.1. */
export async function startWebServer(listener: RequestListener): Promise<WebServer> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}` };
}

/** What a call of this tool gets on a computer where a person granted these hosts. */
export function openWebRuntime(
  tool: Pick<Tool, "requires">,
  allowHosts: readonly string[],
  overrides: Partial<Runtime> = {},
): Runtime {
  const base = mkdtempSync(join(tmpdir(), "haft-web-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  const stateDirectory = join(base, "state");
  const computer = createDiskComputer({ workspace, stateDirectory, allowHosts });
  const { id, state } = computer.openSession("test");
  const session = { id, roots: computer.roots, state };
  const { signal } = overrides;
  const net = computer.openNet(
    makeRunScope(computer, tool, signal === undefined ? {} : { signal }),
  );
  return createTestRuntime({ net, session, ...overrides });
}
