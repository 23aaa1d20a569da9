import { resolve } from "node:path";
import { stateDirectory } from "@haft/computer/internal";
import { createMcpToolEndpoint } from "@haft/connect/internal/mcp-server";
import { createMcpHttpHandler } from "@haft/connect/mcp-server";
import { type Platform, type PlatformRole, startPlatform } from "@haft/platform";
import {
  createLog,
  type LogLevel,
  type OpenWorkbench,
  openWorkbench,
} from "@haft/platform/internal";
import type { CommandInput } from "../command.ts";
import { locateData } from "../environments/data-directory.ts";
import { toClient } from "../environments/open-client.ts";
import { optionChoice, optionText } from "../environments/option-values.ts";
import { readStoreLocation } from "../environments/store-options.ts";
import type { Io } from "../io.ts";
import { type OpenMachine, openMachine } from "../machine/create-machine.ts";
import { openWorkspace, type Workspace } from "../open-workspace.ts";
import { chooseToken } from "../options/choose-token.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { readPort } from "../options/read-port.ts";
import { untilStopped } from "../until-stopped.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";
import { createConsoleLink } from "./console.ts";
import { openServing } from "./mcp/open-serving.ts";

const defaultPort = 7423;
const loopback = ["127.0.0.1", "localhost", "::1"];
const roles: readonly PlatformRole[] = ["all", "api", "worker"];
const levels: readonly LogLevel[] = ["error", "warn", "info"];

/** `haft serve` */
export async function runServer(input: CommandInput, io: Io): Promise<number> {
  const role = optionChoice(input, "role", roles) ?? "all";
  const level = optionChoice(input, "log", levels) ?? "warn";
  const hostname = optionText(input, "host") ?? "127.0.0.1";
  const port = readPort(input.options.port ?? io.environment.PORT, defaultPort);
  const place = readStoreLocation(input, io);
  const tls = readTls(input, io);
  if (tls === undefined && !loopback.includes(hostname)) {
    io.error(
      `haft: warning: on ${hostname}, API keys and tokens travel unencrypted. Use --tls-cert and --tls-key, or serve behind a proxy with TLS.\n`,
    );
  }
  const bench =
    role === "all" && loopback.includes(hostname)
      ? await openBench(input, io, hostname)
      : undefined;
  const machine = await openMachineOf(input, io, { role, hostname });
  const platform = await startPlatform({
    ...place,
    role,
    port,
    hostname,
    ...(tls !== undefined && { tls }),
    version,
    environment: io.environment,
    log: createLog({ level, stream: { write: io.error } }),
    ...(bench !== undefined && {
      beside: bench.workbench.handle,
      sessionState: stateDirectory(io.environment),
    }),
    mcp: createMcpToolEndpoint({ version }),
    ...(machine !== undefined && { machine: machine.service }),
  }).catch(async (error) => {
    machine?.close();
    await bench?.close();
    throw error;
  });
  const page = await findPage(platform, bench, io);
  io.out(greet({ platform, role, bench, page, data: locateData(input, io) }));
  const trouble = await platform.trouble;
  if (trouble !== undefined) io.error(`haft: ${trouble}\n`);
  await untilStopped(io);
  await platform.close();
  machine?.close();
  await bench?.close();
  return 0;
}

// Others must not see this person's sessions unless the operator says so.
async function openMachineOf(
  input: CommandInput,
  io: Io,
  { role, hostname }: { readonly role: PlatformRole; readonly hostname: string },
): Promise<OpenMachine | undefined> {
  const choice = optionChoice(input, "machine", ["on", "off"]);
  const isShown = choice === undefined ? loopback.includes(hostname) : choice === "on";
  if (!isShown || role === "worker") return undefined;
  return openMachine(readCommonOptions(input, io), io);
}

function readTls(
  input: CommandInput,
  io: Io,
): { readonly certificate: string; readonly key: string } | undefined {
  const certificate = optionText(input, "tls-cert");
  const key = optionText(input, "tls-key");
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new UsageError("--tls-cert and --tls-key belong together. Give both.");
  }
  return { certificate: resolve(io.directory, certificate), key: resolve(io.directory, key) };
}

/** The page and the MCP server for the workspace's own tools. */
interface Bench {
  readonly workspace: Workspace;
  readonly workbench: OpenWorkbench;
  readonly token: string;
  close(): Promise<void>;
}

async function openBench(input: CommandInput, io: Io, hostname: string): Promise<Bench> {
  const workspace = await openWorkspace(readCommonOptions(input, io), io, { serves: true });
  const token = chooseToken(io);
  // MCP clients get sessions of their own: their calls are not approved on the page.
  const { serving, close } = openServing(workspace, input, io);
  const mcp = createMcpHttpHandler(serving, { hostname });
  const workbench = await openWorkbench({
    // The page approves calls before they run.
    openSession: (host) => workspace.openSession({ host, review: "words" }),
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
      await close();
      await workspace.close();
    },
  };
}

/** The address of the console: with a link that signs in once if there is a key to make one with. */
async function findPage(
  { url, bootstrap }: Platform,
  bench: Bench | undefined,
  io: Io,
): Promise<string> {
  const { api_key: apiKey, organization } = bootstrap?.credentials ?? {};
  if (apiKey === undefined) return `${url}/`;
  const client = toClient({ url, apiKey, organization, source: "credentials.json" }, io);
  const link = await createConsoleLink(client).catch(() => ({ url: `${url}/` }));
  return bench === undefined ? link.url : `${link.url}&token=${encodeURIComponent(bench.token)}`;
}

interface Greeting {
  readonly platform: Platform;
  readonly role: PlatformRole;
  readonly bench: Bench | undefined;
  readonly page: string;
  readonly data: string;
}

function greet({ platform, role, bench, page, data }: Greeting): string {
  const { url, bootstrap } = platform;
  if (role === "worker") {
    return `Haft ${version}, worker. Health: ${url}/healthz. Stop with Ctrl-C.\n`;
  }
  const lines = [
    `Haft ${version}, data in ${data}`,
    "",
    `  Console  ${page}    works once; haft console makes another link`,
    `  API      ${url}/openapi.json`,
  ];
  if (bench !== undefined) {
    const { roots } = bench.workspace.computer;
    lines.push(
      `  MCP      ${url}/mcp    tools on ${roots.join(", ")}, with Authorization: Bearer ${bench.token}`,
    );
  }
  lines.push(`  Health   ${url}/healthz   ${url}/readyz   ${url}/metrics`);
  if (bootstrap?.isFirst && bootstrap.credentials !== undefined) {
    const { organization, api_key } = bootstrap.credentials;
    lines.push(
      "",
      `New organization:   ${organization}`,
      `Its first API key:  ${api_key}`,
      "Both are stored in credentials.json in the data directory. The key is not shown again.",
    );
  }
  if (bootstrap?.remedy !== undefined) lines.push("", bootstrap.remedy);
  lines.push(
    "",
    "To create, publish and invoke a tool:",
    "  npx haft tool init greeter",
    "  npx haft tool publish --path greeter --push --create --bump minor",
    `  npx haft tool invoke greeter '{"name": "Ada"}'`,
    "",
    "Stop with Ctrl-C.",
    "",
  );
  return lines.join("\n");
}
