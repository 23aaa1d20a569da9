import { toVisibleLine, toVisibleText } from "@haft/core";
import type { Tool } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { onlyWord, requireTool } from "./require-tool.ts";
import { showTime } from "./show-time.ts";

/** `haft tool show`: everything about a tool but its versions. */
export async function showTool(input: CommandInput, io: Io): Promise<number> {
  const tool = await requireTool(onlyWord(input), openClient(input, io));
  if (input.options.json === true) printJson(tool, io);
  else io.out(describe(tool));
  return 0;
}

function describe(tool: Tool): string {
  const rows: readonly (readonly [string, string])[] = [
    ["Id", tool.id],
    [
      "Tags",
      tool.tags.map(({ key, value }) => (value === null ? key : `${key}=${value}`)).join(", "),
    ],
    ["Variables", tool.envvars.join(", ")],
    ["Secrets", tool.secret_envvars.join(", ")],
    ["Created", showTime(tool.created_at)],
    ["Changed", showTime(tool.updated_at)],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(10)} ${toVisibleLine(value || "-")}`);
  const state = tool.deprecated ? " (deprecated)" : "";
  return `${toVisibleLine(tool.name)}${state}: ${toVisibleText(tool.description)}\n\n${lines.join("\n")}\n`;
}
