import { inspectServer, settlePins } from "@haft/connect/internal/mcp-client";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { describeSettings, toServerJson } from "./servers/describe-server.ts";
import { openServers, requireServer } from "./servers/open-servers.ts";
import { printTools } from "./servers/print-tools.ts";
import { reportFailure } from "./servers/report-failure.ts";
import { showStart } from "./servers/show-start.ts";

/** `haft mcp test`: connects to a server and prints its tools and how they differ from the pins. */
export async function testServer(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const context = openServers(options, io);
  const { name } = requireServer(positionals, context.store);
  try {
    const entry = requireServer(positionals, context.store);
    const found = await inspectServer(entry, context, showStart(entry, options, io));
    context.store.update(name, (stored) => ({
      ...stored,
      tools: settlePins(stored.tools, found.tools),
      legacy: found.isLegacy,
    }));
    const settled = requireServer(positionals, context.store);
    const { title, protocolVersion, warnings } = found;
    if (options.json) {
      printJson({ ...toServerJson(settled), title, protocolVersion, warnings }, io);
      return 0;
    }
    io.out(`${toVisibleLine(`${name}: ${describeSettings(settled)}`)}\n`);
    io.out(`  ${toVisibleLine(`${title}, MCP ${protocolVersion}`)}\n`);
    printTools(settled, io);
    for (const warning of warnings) io.error(`haft: ${name}: ${toVisibleLine(warning)}\n`);
    if (settled.tools.some(({ state }) => state !== "accepted")) {
      io.out(`Some tools changed since they were accepted. To see how: haft mcp accept ${name}\n`);
    }
    return 0;
  } catch (error) {
    return reportFailure(error, options.json, io);
  }
}
