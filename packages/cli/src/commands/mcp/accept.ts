import { inspectServer, pinTool } from "@haft/connect/internal/mcp-client";
import type { McpServerEntry } from "@haft/connect/mcp-client";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { isAgreed } from "./servers/is-agreed.ts";
import { openServers, requireServer, type ServersContext } from "./servers/open-servers.ts";
import { reportFailure } from "./servers/report-failure.ts";
import { findDifferences, showDifferences } from "./servers/show-differences.ts";
import { showStart } from "./servers/show-start.ts";

/** `haft mcp accept`: shows which tool definitions a server changed, and pins the new ones. */
export async function acceptServer(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const context = openServers(options, io);
  const entry = requireServer(positionals, context.store);
  try {
    return await acceptTools(entry, context, { options, io });
  } catch (error) {
    return reportFailure(error, options.json, io);
  }
}

/** Shows what changed in a server's tools and, if a person agrees, pins them as they are now. */
export async function acceptTools(
  entry: McpServerEntry,
  context: ServersContext,
  { options, io }: { readonly options: CommonOptions; readonly io: Io },
): Promise<number> {
  const found = await inspectServer(entry, context, showStart(entry, options, io));
  const tools = found.tools.map((tool) => pinTool(tool, "accepted"));
  const differences = findDifferences(entry.tools, tools);
  if (!options.json) showDifferences(differences, io);
  const isTaken =
    differences.length === 0 ||
    (await isAgreed("Accept these tools as they are now?", options, io));
  if (isTaken) {
    context.store.update(entry.name, (stored) => ({ ...stored, tools, legacy: found.isLegacy }));
  }
  if (options.json) {
    const shown = differences.map(({ name, state }) => ({ name, state }));
    printJson({ name: entry.name, differences: shown, accepted: isTaken }, io);
  } else if (differences.length === 0) io.out("Nothing changed since the tools were accepted.\n");
  else io.out(isTaken ? `Accepted the tools of ${entry.name}.\n` : "Nothing was accepted.\n");
  return isTaken ? 0 : 1;
}
