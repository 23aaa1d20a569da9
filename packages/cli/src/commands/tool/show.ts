import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { Tool } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { requireTool } from "./require-tool.ts";
import { showTime } from "./show-time.ts";

/** `haft tool show`: everything about a tool except its versions. */
export async function showTool(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const tool = await requireTool(name, openClient(input, io));
  if (input.options.json === true) printJson(tool, io);
  else io.out(describe(tool));
  return 0;
}

function describe(tool: Tool): string {
  const rows: readonly (readonly [string, string])[] = [
    ["ID", tool.id],
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
