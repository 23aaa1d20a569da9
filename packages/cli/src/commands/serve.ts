import { randomBytes } from "node:crypto";
import { startWorkbench } from "@haft/platform";
import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace } from "../open-workspace.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";

const defaultPort = 7423;

/** `haft serve` */
export const serve: Command = {
  help: `Serve health and a page that shows the tools and lets you run one on the workspace.

Usage: haft serve [--port N]

      --port N          where to listen, on this machine only (default: ${defaultPort}; 0: any free port)

The page needs a token: HAFT_TOKEN if set, else a new one each time, printed with the link. Stop
with Ctrl-C. GET /healthz answers without a token.

Examples:
  haft serve
  haft serve --port 0 -C ~/project

${commonHelp}`,
  options: { ...commonOptions, port: { type: "string" } },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const workspace = await openWorkspace(options, io, { keepJobs: false });
    const token = io.environment.HAFT_TOKEN || randomBytes(24).toString("base64url");
    const workbench = await startWorkbench({
      openSession: (host) => workspace.openSession({ host }),
      token,
      version,
      workspace: workspace.computer.roots[0] as string,
      port: readPort(input.options.port ?? io.environment.PORT),
    });
    io.out(greeting(workbench.url, token, workspace.computer.roots));
    await stopped(io);
    await workbench.close();
    await workspace.close();
    return 0;
  },
};

function greeting(url: string, token: string, roots: readonly string[]): string {
  return `Haft ${version} on ${roots.join(", ")}

  Open     ${url}/#token=${encodeURIComponent(token)}
  Health   ${url}/healthz
  Shell    npx haft tools    npx haft call read path=README.md    npx haft --help

Not here yet: publishing and versioning tools, organizations and keys, and MCP at /mcp. Stop
with Ctrl-C.
`;
}

function readPort(given: unknown): number {
  if (given === undefined || given === "") return defaultPort;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${JSON.stringify(given)} is not a port: 0 to 65535.`);
}

function stopped(io: Io): Promise<void> {
  return new Promise((resolve) => {
    io.signal.addEventListener("abort", () => resolve(), { once: true });
    if (io.signal.aborted) resolve();
  });
}
