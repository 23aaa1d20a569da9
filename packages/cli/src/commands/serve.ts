import { createMcpHttpHandler } from "@haft/connect/mcp-server";
import { startWorkbench } from "@haft/platform";
import type { Command } from "../command.ts";
import { openWorkspace } from "../open-workspace.ts";
import { chooseToken } from "../options/choose-token.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { readPort } from "../options/read-port.ts";
import { untilStopped } from "../until-stopped.ts";
import { version } from "../version.ts";
import { openServing } from "./mcp/open-serving.ts";

const defaultPort = 7423;

/** `haft serve` */
export const serve: Command = {
  help: `Serve health, MCP, and a page that shows the tools and lets you run one on the workspace.

Usage: haft serve [--port N]

      --port N          where to listen, on this machine only (default: ${defaultPort}; 0: any free port)

The page and /mcp need a token: HAFT_TOKEN if set, else a new one each time, printed with the link.
Agents send it as Authorization: Bearer TOKEN. Stop with Ctrl-C. GET /healthz answers without.

Examples:
  haft serve
  haft serve --port 0 -C ~/project

${commonHelp}`,
  options: { ...commonOptions, port: { type: "string" } },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const workspace = await openWorkspace(options, io, { serves: true });
    const token = chooseToken(io);
    // Agents have a session of their own: who is asked about their calls is not who sees the page.
    const serving = openServing(workspace, input);
    const mcp = createMcpHttpHandler(serving, { hostname: "127.0.0.1" });
    const workbench = await startWorkbench({
      openSession: (host) => workspace.openSession({ host }),
      token,
      version,
      workspace: workspace.computer.roots[0] as string,
      port: readPort(input.options.port ?? io.environment.PORT, defaultPort),
      mounts: [{ path: "/mcp", handle: mcp.handle, close: mcp.close }],
    });
    io.out(greeting(workbench.url, token, workspace.computer.roots));
    await untilStopped(io);
    await workbench.close();
    serving.session.abort("The server was stopped.");
    await serving.session.suspend();
    await workspace.close();
    return 0;
  },
};

function greeting(url: string, token: string, roots: readonly string[]): string {
  return `Haft ${version} on ${roots.join(", ")}

  Open     ${url}/#token=${encodeURIComponent(token)}
  MCP      ${url}/mcp    with Authorization: Bearer ${token}
  Health   ${url}/healthz
  Shell    npx haft tools    npx haft call read path=README.md    npx haft --help

Not here yet: publishing and versioning tools, organizations and keys. Stop with Ctrl-C.
`;
}
