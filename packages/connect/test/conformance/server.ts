// The server that the official conformance suites talk to: our transport, our eras and our tools;
// what Haft does not offer by itself is added to the same server.
// Run it with: PORT=3000 node packages/connect/test/conformance/server.ts

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryComputer } from "@haft/computer/memory";
import { createMcpHost, createMcpHttpHandler } from "@haft/connect/mcp-server";
import { createRegistry, createSession, parseRule } from "@haft/core";
import { addExtras } from "./fixture/add-extras.ts";
import { haftTools } from "./fixture/haft-tools.ts";
import { createTriggerToolChange } from "./fixture/trigger-tool-change.ts";

const hostname = "127.0.0.1";
const registry = createRegistry(haftTools);
registry.add(createTriggerToolChange(registry));
const host = createMcpHost();
const session = createSession({
  registry,
  computer: createMemoryComputer(),
  host,
  rules: [parseRule("* * allow")],
});
const handler = createMcpHttpHandler(
  { session, host, version: "1.0.0", extend: addExtras },
  { hostname },
);
const server = createServer((request, response) => {
  if (request.url === "/mcp") void handler.handle(request, response);
  else response.writeHead(404).end();
});
server.listen(Number(process.env.PORT ?? 3000), hostname, () => {
  process.stdout.write(`http://${hostname}:${(server.address() as AddressInfo).port}/mcp\n`);
});
