import { createMcpHttpHandler } from "@haft/connect/mcp-server";
import {
  createLog,
  type LogLevel,
  type OpenWorkbench,
  openWorkbench,
  type Platform,
  type PlatformRole,
  startPlatform,
} from "@haft/platform";
import type { Command, CommandInput } from "../command.ts";
import { locateData } from "../environments/data-directory.ts";
import { optionText } from "../environments/option-values.ts";
import { readStorePlace } from "../environments/store-options.ts";
import type { Io } from "../io.ts";
import { openWorkspace, type Workspace } from "../open-workspace.ts";
import { chooseToken } from "../options/choose-token.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { readPort } from "../options/read-port.ts";
import { untilStopped } from "../until-stopped.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";
import { openServing } from "./mcp/open-serving.ts";

const defaultPort = 7423;
const loopback = ["127.0.0.1", "localhost", "::1"];
const roles: readonly PlatformRole[] = ["all", "api", "worker"];
const levels: readonly LogLevel[] = ["error", "warn", "info"];

/** `haft serve` */
export const serve: Command = {
  help: `Serve an organization's tools over HTTP: publish, version, invoke, look back. On this machine also MCP
and a page to try the workspace's own tools on.

Usage: haft serve [--port N] [--host H] [--data DIR] [--database URL] [--role ROLE]

      --port N          where to listen (default: ${defaultPort}; 0: any free port)
      --host H          the address to listen at (default: 127.0.0.1, this machine only)
      --data DIR        where everything is kept (default: HAFT_DATA, else below HAFT_HOME)
      --database URL    postgres://… instead of the SQLite file in DIR
      --role ROLE       all (default); with --database also api, which answers, and worker, which
                        runs and builds tools for those who do
      --log LEVEL       error, warn (default) or info (every request), as JSON on standard error

The first start makes an organization with an API key and writes DIR/credentials.json, which haft tool
reads. DIR/settings.json can change limits: docs/guides/platform.md. The page and /mcp are there with
the role all on this machine's own address only; they need a token: HAFT_TOKEN if set, else a new one
each time, printed with the link. Stop with Ctrl-C.

Examples:
  haft serve
  haft serve --port 0 --data ./data -C ~/project
  haft serve --host 0.0.0.0 --database postgres://haft@db/haft --role api --data /srv/haft
  haft serve --role worker --database postgres://haft@db/haft --port 7424 --data /srv/haft

${commonHelp}`,
  options: {
    ...commonOptions,
    port: { type: "string" },
    host: { type: "string" },
    data: { type: "string" },
    database: { type: "string" },
    role: { type: "string" },
    log: { type: "string" },
  },
  run: async (input, io) => {
    const role = choose(input, "role", roles);
    const level = choose(input, "log", levels, "warn");
    const hostname = optionText(input, "host") ?? "127.0.0.1";
    const port = readPort(input.options.port ?? io.environment.PORT, defaultPort);
    const place = readStorePlace(input, io);
    const bench =
      role === "all" && loopback.includes(hostname)
        ? await openBench(input, io, hostname)
        : undefined;
    const platform = await startPlatform({
      ...place,
      role,
      port,
      hostname,
      version,
      environment: io.environment,
      log: createLog({ level, stream: { write: io.error } }),
      ...(bench !== undefined && { beside: bench.workbench.handle }),
    }).catch(async (error) => {
      await bench?.close();
      throw error;
    });
    io.out(greet({ platform, role, bench, data: locateData(input, io) }));
    const trouble = await platform.trouble;
    if (trouble !== undefined) io.error(`haft: ${trouble}\n`);
    await untilStopped(io);
    await platform.close();
    await bench?.close();
    return 0;
  },
};

/** The workspace's own tools: a page and MCP. */
interface Bench {
  readonly workspace: Workspace;
  readonly workbench: OpenWorkbench;
  readonly token: string;
  close(): Promise<void>;
}

async function openBench(input: CommandInput, io: Io, hostname: string): Promise<Bench> {
  const workspace = await openWorkspace(readCommonOptions(input, io), io, { serves: true });
  const token = chooseToken(io);
  // Agents have a session of their own: who is asked about their calls is not who sees the page.
  const serving = openServing(workspace, input);
  const mcp = createMcpHttpHandler(serving, { hostname });
  const workbench = await openWorkbench({
    openSession: (host) => workspace.openSession({ host }),
    token,
    version,
    hostname,
    workspace: workspace.computer.roots[0] as string,
    mounts: [{ path: "/mcp", handle: mcp.handle, close: mcp.close }],
  });
  return {
    workspace,
    workbench,
    token,
    close: async () => {
      await workbench.close();
      serving.session.abort("The server was stopped.");
      await serving.session.suspend();
      await workspace.close();
    },
  };
}

function choose<Choice extends string>(
  input: CommandInput,
  name: string,
  ...[choices, otherwise = choices[0] as Choice]: [choices: readonly Choice[], otherwise?: Choice]
): Choice {
  const given = optionText(input, name) ?? otherwise;
  const found = choices.find((choice) => choice === given);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} is one of ${choices.join(", ")}, not ${JSON.stringify(given)}.`);
}

interface Greeting {
  readonly platform: Platform;
  readonly role: PlatformRole;
  readonly bench: Bench | undefined;
  readonly data: string;
}

function greet({ platform, role, bench, data }: Greeting): string {
  const { url, bootstrap } = platform;
  if (role === "worker") {
    return `Haft ${version}: a worker. Health: ${url}/healthz. Stop with Ctrl-C.\n`;
  }
  const lines = [`Haft ${version}, data in ${data}`, "", `  API      ${url}/openapi.json`];
  if (bench !== undefined) {
    const { roots } = bench.workspace.computer;
    lines.push(
      `  Page     ${url}/#token=${encodeURIComponent(bench.token)}    tools on ${roots.join(", ")}`,
      `  MCP      ${url}/mcp    with Authorization: Bearer ${bench.token}`,
    );
  }
  lines.push(`  Health   ${url}/healthz   ${url}/readyz   ${url}/metrics`);
  if (bootstrap?.isFirst && bootstrap.credentials !== undefined) {
    const { organization, api_key } = bootstrap.credentials;
    lines.push(
      "",
      `A new organization: ${organization}`,
      `Its first API key:  ${api_key}`,
      "Both are in credentials.json beside the data; the key is not shown again.",
    );
  }
  if (bootstrap?.remedy !== undefined) lines.push("", bootstrap.remedy);
  lines.push(
    "",
    "From nothing to a tool that is published and invoked:",
    "  npx haft tool init greeter",
    "  npx haft tool publish --path greeter --push --create --bump minor",
    `  npx haft tool invoke greeter '{"name": "Ada"}'`,
    "",
    "Stop with Ctrl-C.",
    "",
  );
  return lines.join("\n");
}
