import {
  inspectServer,
  isServerName,
  type McpServerEntry,
  needsLogin,
  pinTool,
  type ServerInspection,
} from "@haft/connect/mcp-client";
import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { describeRights, describeSettings, toServerJson } from "./servers/describe-server.ts";
import { isAgreed } from "./servers/is-agreed.ts";
import { openPlace, type ServersPlace } from "./servers/open-place.ts";
import { printTools } from "./servers/print-tools.ts";
import { readSettings } from "./servers/read-settings.ts";
import { reportFailure } from "./servers/report-failure.ts";

/** `haft mcp add`: connects to a server, shows what it offers, and pins that. */
export async function addServer(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [name, ...positionals] = input.positionals;
  if (name === undefined || !isServerName(name)) {
    throw new UsageError(
      `${name === undefined ? "What is the server to be called?" : `${JSON.stringify(name)} can't be its name.`} Up to 31 letters, digits, - and single _, such as files.`,
    );
  }
  const settings = readSettings({ ...input, positionals }, options, io);
  const place = openPlace(options, io);
  if (place.store.get(name) !== undefined) {
    throw new UsageError(
      `There is an MCP server ${name} already. Remove it: haft mcp remove ${name}`,
    );
  }
  const entry: McpServerEntry = { name, settings, tools: [] };
  try {
    return await addInspected(entry, place, { options, io });
  } catch (error) {
    if (settings.type === "http" && (await needsLogin(error))) {
      return await addBeforeLogin(entry, place, { options, io });
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
  place: ServersPlace,
  { options, io }: Asking,
): Promise<number> {
  const found = await inspectServer(entry, place, io.signal);
  const tools = found.tools.map((tool) => pinTool(tool, "accepted"));
  const added: McpServerEntry = { ...entry, tools, legacy: found.isLegacy };
  if (!options.json) showFound(added, found, io);
  const isStored = await isAgreed("Add it with these tools?", options, io);
  if (isStored) place.store.put(added);
  if (options.json)
    printJson({ ...toServerJson(added), added: isStored, warnings: found.warnings }, io);
  else io.out(isStored ? `Added ${entry.name}.\n` : "Nothing was added.\n");
  return isStored ? 0 : 1;
}

// Who has to log in first can't see what they get; they see it when they have.
async function addBeforeLogin(
  entry: McpServerEntry,
  place: ServersPlace,
  { options, io }: Asking,
): Promise<number> {
  place.store.put(entry);
  const remedy = `haft mcp login ${entry.name}`;
  if (options.json) printJson({ ...toServerJson(entry), added: true, login: remedy }, io);
  else
    io.out(
      `Added ${entry.name}, without tools yet: it wants to know who asks. Log in: ${remedy}\n`,
    );
  return 0;
}

function showFound(entry: McpServerEntry, found: ServerInspection, io: Io): void {
  const print = (line: string): void => io.out(`${toVisibleLine(line)}\n`);
  print(`${entry.name}: ${describeSettings(entry)}`);
  print(`  is ${found.title}, which speaks MCP ${found.protocolVersion}`);
  if (found.isolation === "none" && entry.settings.type === "stdio") {
    print("  It ran WITHOUT A SANDBOX: haft doctor says why there is none.");
  }
  for (const line of describeRights(entry)) print(`  ${line}`);
  printTools(entry, io);
  for (const warning of found.warnings)
    io.error(`haft: ${entry.name}: ${toVisibleLine(warning)}\n`);
}
