import type { McpServerEntry } from "@haft/connect/mcp-client";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { describeRights, describeSettings, toServerJson } from "./servers/describe-server.ts";
import { openServers, requireServer } from "./servers/open-servers.ts";

/** `haft mcp list`: the servers of the workspace, without connecting to them. */
export async function listServers(
  _input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const entries = openServers(options, io).store.list();
  if (options.json) {
    printJson(entries.map(toServerJson), io);
    return 0;
  }
  if (entries.length === 0) io.out("No MCP servers. Add one with: haft mcp add NAME -- COMMAND\n");
  for (const entry of entries) {
    io.out(`${toVisibleLine(`${entry.name}: ${describeSettings(entry)}`)}\n`);
    for (const line of describeRights(entry)) io.out(`  ${toVisibleLine(line)}\n`);
    io.out(`  ${countTools(entry)}\n`);
  }
  return 0;
}

/** `haft mcp remove`: forgets a server with its pins, its tokens and its home directory. */
export async function removeServer(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const { store } = openServers(options, io);
  const { name } = requireServer(positionals, store);
  store.remove(name);
  if (options.json) printJson({ name, removed: true }, io);
  else io.out(`Removed ${name}.\n`);
  return 0;
}

function countTools({ name, tools }: McpServerEntry): string {
  const counts = ["changed", "new", "gone"].flatMap((state) => {
    const count = tools.filter((pin) => pin.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const usable = tools.filter(({ state }) => state === "accepted").length;
  if (counts.length === 0) return `${usable} tools`;
  return `${usable} tools; ${counts.join(", ")}: haft mcp accept ${name}`;
}
