import { inspectServer, type McpServerEntry, pinTool } from "@haft/connect/mcp-client";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { isAgreed } from "./servers/is-agreed.ts";
import { openPlace, requireServer, type ServersPlace } from "./servers/open-place.ts";
import { reportFailure } from "./servers/report-failure.ts";
import { findDifferences, showDifferences } from "./servers/show-differences.ts";

/** `haft mcp accept`: shows what a server describes otherwise than it did, and pins it anew. */
export async function acceptServer(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const place = openPlace(options, io);
  const entry = requireServer(positionals, place.store);
  try {
    return await acceptTools(entry, place, { options, io });
  } catch (error) {
    return reportFailure(error, options.json, io);
  }
}

/** Shows what is different about a server's tools, and pins them as they are now if that is agreed to. */
export async function acceptTools(
  entry: McpServerEntry,
  place: ServersPlace,
  { options, io }: { readonly options: CommonOptions; readonly io: Io },
): Promise<number> {
  const found = await inspectServer(entry, place, io.signal);
  const tools = found.tools.map((tool) => pinTool(tool, "accepted"));
  const differences = findDifferences(entry.tools, tools);
  if (!options.json) showDifferences(differences, io);
  const isTaken =
    differences.length === 0 ||
    (await isAgreed("Accept these tools as they are now?", options, io));
  if (isTaken) {
    place.store.update(entry.name, (stored) => ({ ...stored, tools, legacy: found.isLegacy }));
  }
  if (options.json) {
    const shown = differences.map(({ name, state }) => ({ name, state }));
    printJson({ name: entry.name, differences: shown, accepted: isTaken }, io);
  } else if (differences.length === 0) io.out("All is as it was accepted.\n");
  else io.out(isTaken ? `Accepted the tools of ${entry.name}.\n` : "Nothing was accepted.\n");
  return isTaken ? 0 : 1;
}
