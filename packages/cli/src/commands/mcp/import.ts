import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import {
  clientSettings,
  type ImportedServer,
  inspectServer,
  pinTool,
  readClientServers,
  readSettingsFile,
} from "@haft/connect/internal/mcp-client";
import type { McpServerEntry } from "@haft/connect/mcp-client";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { choosePrinter } from "../../terminal/choose-printer.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { describeRights, describeSettings, toServerJson } from "./servers/describe-server.ts";
import { isAgreed } from "./servers/is-agreed.ts";
import { openServers, type ServersContext } from "./servers/open-servers.ts";
import { reportFailure } from "./servers/report-failure.ts";

/** `haft mcp import`: shows the servers in `.mcp.json` or a client's settings, and adds them. */
export async function importServers(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [source] = input.positionals;
  const context = openServers(options, io);
  const found = await readSources(source, context.workspace, io);
  const skipped = found.flatMap(({ skipped }) => skipped);
  const fresh = new Map<string, ImportedServer>();
  for (const server of found.flatMap(({ servers }) => servers)) {
    if (fresh.has(server.name)) continue;
    if (context.store.get(server.name) === undefined) fresh.set(server.name, server);
    else skipped.push({ name: server.name, why: "a server of this name already exists" });
  }
  const entries = [...fresh.values()].map((server): McpServerEntry => ({ ...server, tools: [] }));
  const files = found.map(({ path }) => path);
  const isDry = input.options["dry-run"] === true;
  const print = choosePrinter(
    { ...options, asks: !isDry && !options.yes && !options.headless },
    io,
  );
  show(entries, { files, skipped }, print);
  try {
    const isTaken =
      !isDry &&
      entries.length > 0 &&
      (await isAgreed("Start these servers and add their tools?", options, io));
    const taken = isTaken
      ? await Promise.all(entries.map((one) => take(one, context, io)))
      : entries;
    if (options.json) {
      printJson({ files, servers: taken.map(toServerJson), skipped, imported: isTaken }, io);
    } else if (!isTaken) io.out("Nothing was imported.\n");
    return 0;
  } catch (error) {
    return reportFailure(error, options.json, io);
  }
}

interface Source extends ReturnType<typeof readClientServers> {
  readonly path: string;
}

async function readSources(
  source: string | undefined,
  workspace: string,
  io: Io,
): Promise<Source[]> {
  const home = io.environment.HOME || homedir();
  const config = io.environment.XDG_CONFIG_HOME || join(home, ".config");
  const client = source !== undefined && Object.hasOwn(clientSettings, source);
  const files = client
    ? (clientSettings[source]?.({ workspace, home, config }) ?? [])
    : [findFile(source, workspace, io)];
  const found: Source[] = [];
  for (const path of files) {
    const settings = await readOrRefuse(path, workspace);
    if (settings !== undefined) found.push({ path, ...readClientServers(settings, workspace) });
  }
  if (found.length > 0) return found;
  const known = Object.keys(clientSettings).join(", ");
  throw new UsageError(`Not found: ${files.join(", ")}. Name a file or a client: ${known}.`);
}

// Relative to the current directory, else to the workspace.
function findFile(source: string | undefined, workspace: string, io: Io): string {
  if (source === undefined) return join(workspace, ".mcp.json");
  const here = resolve(io.directory, source);
  const there = resolve(workspace, source);
  return existsSync(here) || !existsSync(there) ? here : there;
}

async function readOrRefuse(path: string, workspace: string): Promise<unknown> {
  try {
    return await readSettingsFile(path, workspace);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

// A server that does not start is added too: it may only need a login.
async function take(
  entry: McpServerEntry,
  context: ServersContext,
  io: Io,
): Promise<McpServerEntry> {
  const { name } = entry;
  let added = entry;
  try {
    const found = await inspectServer(entry, context, { signal: io.signal });
    const tools = found.tools.map((tool) => pinTool(tool, "accepted"));
    added = { ...entry, tools, legacy: found.isLegacy };
    io.error(`haft: added ${name} with ${tools.length} tools\n`);
  } catch (error) {
    const why = toVisibleLine((error as Error).message);
    io.error(
      `haft: added ${name} without tools; try again with: haft mcp accept ${name}. ${why}\n`,
    );
  }
  context.store.put(added);
  return added;
}

interface Shown {
  readonly files: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
}

function show(
  entries: readonly McpServerEntry[],
  { files, skipped }: Shown,
  print: (line: string) => void,
): void {
  print(`From ${files.join(", ")}:`);
  if (entries.length + skipped.length === 0) print("  no servers");
  for (const entry of entries) {
    print(`  ${entry.name}: ${describeSettings(entry)}`);
    for (const line of describeRights(entry)) print(`    ${line}`);
  }
  if (skipped.length > 0) print("Skipped:");
  for (const { name, why } of skipped) print(`  ${name}: ${why}`);
}
