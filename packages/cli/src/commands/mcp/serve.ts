import { type McpServing, serveMcpStdio, startMcpHttp } from "@haft/connect/mcp-server";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openWorkspace } from "../../open-workspace.ts";
import { chooseToken } from "../../options/choose-token.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { readPort } from "../../options/read-port.ts";
import { untilStopped } from "../../until-stopped.ts";
import { UsageError } from "../../usage-error.ts";
import { version } from "../../version.ts";
import { openServing } from "./open-serving.ts";

const defaultPort = 7424;

/** `haft mcp serve`: serves the tools until the client disconnects, or over HTTP until it is stopped. */
export async function serveMcp(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const port = readPort(input.options.port, defaultPort);
  if (input.options.http !== true && input.options.port !== undefined) {
    throw new UsageError("--port needs --http.");
  }
  const workspace = await openWorkspace(options, io, { serves: true });
  try {
    const { serving, close } = openServing(workspace, input, io);
    const roots = workspace.computer.roots.join(", ");
    if (input.options.http === true) await serveHttp(serving, { port, roots }, io);
    else await serveClient(serving, roots, io);
    await close();
  } finally {
    await workspace.close();
  }
  return 0;
}

// Standard output belongs to the protocol, so messages for people go to standard error.
async function serveClient(serving: McpServing, roots: string, io: Io): Promise<void> {
  if (io.interactive) io.error(introduction(roots));
  await serveMcpStdio(serving, { signal: io.signal });
}

async function serveHttp(
  serving: McpServing,
  address: { readonly port: number; readonly roots: string },
  io: Io,
): Promise<void> {
  const token = chooseToken(io);
  const http = await startMcpHttp(serving, { port: address.port, token });
  io.out(`Haft ${version} on ${address.roots}

  MCP      ${http.url}
  Token    ${token}
  Header   Authorization: Bearer ${token}

Stop with Ctrl-C.
`);
  await untilStopped(io);
  await http.close();
}

function introduction(roots: string): string {
  return `Haft ${version} serves the tools of ${roots} over MCP and waits for an agent on standard input.
Clients start this command themselves; set one up with: haft mcp install CLIENT. Stop with Ctrl-C.
`;
}
