import { toVisibleText } from "@haft/core";
import type { Command } from "../command.ts";
import { openWorkspace } from "../open-workspace.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { printJson } from "../terminal/print-result.ts";

/** `haft tools` */
export const tools: Command = {
  help: `List the tools, as a model sees them.

Usage: haft tools [--dialect NAME] [--json]

Those from elsewhere are among them: MCP servers (mcp__SERVER__TOOL), toolbox scripts (tb__NAME) and
modules (--mount). A model that would have to see more than 20 of these is shown tool_search instead.
With --json: name, description, input_schema, kind, source and requires of each.

Examples:
  haft tools
  haft tools --dialect codex
  haft tools --json | jq '.[].name'

${commonHelp}`,
  options: commonOptions,
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const workspace = await openWorkspace(options, io, { shows: true });
    const shown = workspace.openSession().tools("all");
    await workspace.close();
    if (options.json) {
      printJson(
        shown.map(({ name, description, input_schema, kind, source, requires }) => ({
          name,
          description,
          input_schema,
          kind,
          source,
          requires,
        })),
        io,
      );
      return 0;
    }
    const width = Math.max(0, ...shown.map(({ name }) => name.length));
    for (const { name, description } of shown) {
      io.out(`${name.padEnd(width)}  ${toVisibleText(firstSentence(description))}\n`);
    }
    return 0;
  },
};

function firstSentence(description: string): string {
  const line = description.trim().split("\n", 1)[0] ?? "";
  return /^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line;
}
