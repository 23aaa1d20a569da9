import type { McpServerEntry } from "@haft/connect/mcp-client";
import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { describeRights, describeSettings, toServerJson } from "./servers/describe-server.ts";
import { openPlace } from "./servers/open-place.ts";

/** `haft mcp list`: the servers of the workspace. Connects to none. */
export async function listServers(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  if (positionals.length > 0)
    throw new UsageError(`list takes no ${JSON.stringify(positionals[0])}.`);
  const entries = openPlace(options, io).store.list();
  if (options.json) {
    printJson(entries.map(toServerJson), io);
    return 0;
  }
  if (entries.length === 0)
    io.out("There are no MCP servers. haft mcp add NAME -- COMMAND adds one.\n");
  for (const entry of entries) {
    io.out(`${toVisibleLine(`${entry.name}: ${describeSettings(entry)}`)}\n`);
    for (const line of describeRights(entry)) io.out(`  ${toVisibleLine(line)}\n`);
    io.out(`  ${countTools(entry)}\n`);
  }
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
