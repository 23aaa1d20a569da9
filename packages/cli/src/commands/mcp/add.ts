import {
  inspectServer,
  isServerName,
  needsLogin,
  pinTool,
  type ServerInspection,
} from "@haft/connect/internal/mcp-client";
import type { McpServerEntry } from "@haft/connect/mcp-client";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { describeRights, describeSettings, toServerJson } from "./servers/describe-server.ts";
import { isAgreed } from "./servers/is-agreed.ts";
import { openServers, type ServersContext } from "./servers/open-servers.ts";
import { printTools } from "./servers/print-tools.ts";
import { readSettings } from "./servers/read-settings.ts";
import { reportFailure } from "./servers/report-failure.ts";
import { showStart } from "./servers/show-start.ts";

/** `haft mcp add`: connects to a server, shows its tools and pins them. */
export async function addServer(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [name = "", ...positionals] = input.positionals;
  if (!isServerName(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid server name: use up to 31 letters, digits, - and single _, such as files.`,
    );
  }
  const settings = readSettings({ ...input, positionals }, options, io);
  const context = openServers(options, io);
  if (context.store.get(name) !== undefined) {
    throw new UsageError(
      `An MCP server ${name} already exists. Remove it first: haft mcp remove ${name}`,
    );
  }
  const entry: McpServerEntry = { name, settings, tools: [] };
  try {
    return await addInspected(entry, context, { options, io });
  } catch (error) {
    if (await needsLogin(error)) {
      return await addBeforeLogin(entry, context, { options, io });
    }
    return reportFailure(error, options.json, io);
  }
}

interface Asking {
  readonly options: CommonOptions;
  readonly io: Io;
}

async function addInspected(
  entry: McpServerEntry,
  context: ServersContext,
  { options, io }: Asking,
): Promise<number> {
  const found = await inspectServer(entry, context, showStart(entry, options, io));
  const tools = found.tools.map((tool) => pinTool(tool, "accepted"));
  const added: McpServerEntry = { ...entry, tools, legacy: found.isLegacy };
  if (!options.json) showFound(added, found, io);
  const isStored = await isAgreed("Add it with these tools?", options, io);
  if (isStored) context.store.put(added);
  else context.store.clearHome(entry.name);
  if (options.json)
    printJson({ ...toServerJson(added), added: isStored, warnings: found.warnings }, io);
  else io.out(isStored ? `Added ${entry.name}.\n` : "Nothing was added.\n");
  return isStored ? 0 : 1;
}

// Its tools are only visible after the login, and are shown then.
async function addBeforeLogin(
  entry: McpServerEntry,
  context: ServersContext,
  { options, io }: Asking,
): Promise<number> {
  context.store.put(entry);
  const remedy = `haft mcp login ${entry.name}`;
  if (options.json) printJson({ ...toServerJson(entry), added: true, login: remedy }, io);
  else
    io.out(
      `Added ${entry.name} without tools, because it requires a login. Log in with: ${remedy}\n`,
    );
  return 0;
}

function showFound(entry: McpServerEntry, found: ServerInspection, io: Io): void {
  const print = (line: string): void => io.out(`${toVisibleLine(line)}\n`);
  print(`${entry.name}: ${describeSettings(entry)}`);
  print(`  ${found.title}, MCP ${found.protocolVersion}`);
  if (found.isolation === "none") {
    print("  It ran WITHOUT A SANDBOX. `haft doctor` says why.");
  }
  for (const line of describeRights(entry)) print(`  ${line}`);
  printTools(entry, io);
  for (const warning of found.warnings)
    io.error(`haft: ${entry.name}: ${toVisibleLine(warning)}\n`);
}
