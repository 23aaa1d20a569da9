import { inspectServer, settlePins } from "@haft/connect/mcp-client";
import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { describeSettings, toServerJson } from "./servers/describe-server.ts";
import { openPlace, requireServer } from "./servers/open-place.ts";
import { printTools } from "./servers/print-tools.ts";
import { reportFailure } from "./servers/report-failure.ts";

/** `haft mcp test`: connects to a server and prints its tools, and what differs from what was pinned. */
export async function testServer(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const place = openPlace(options, io);
  const { name } = requireServer(positionals, place.store);
  try {
    const entry = requireServer(positionals, place.store);
    const found = await inspectServer(entry, place, io.signal);
    place.store.update(name, (stored) => ({
      ...stored,
      tools: settlePins(stored.tools, found.tools),
      legacy: found.isLegacy,
    }));
    const settled = requireServer(positionals, place.store);
    const { title, protocolVersion, warnings } = found;
    if (options.json) {
      printJson({ ...toServerJson(settled), title, protocolVersion, warnings }, io);
      return 0;
    }
    io.out(`${toVisibleLine(`${name}: ${describeSettings(settled)}`)}\n`);
    io.out(`  ${toVisibleLine(`is ${title}, which speaks MCP ${protocolVersion}`)}\n`);
    printTools(settled, io);
    for (const warning of warnings) io.error(`haft: ${name}: ${toVisibleLine(warning)}\n`);
    if (settled.tools.some(({ state }) => state !== "accepted")) {
      io.out(`Not all is as it was accepted: haft mcp accept ${name} shows the differences.\n`);
    }
    return 0;
  } catch (error) {
    return reportFailure(error, options.json, io);
  }
}
