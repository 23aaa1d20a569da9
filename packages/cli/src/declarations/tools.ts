import type { Command } from "../command.ts";
import { commonOptions } from "./option-groups.ts";

/** `haft tools` */
export const tools: Command = {
  details: `
The list includes tools from MCP servers (mcp__SERVER__TOOL), toolbox scripts (tb__NAME) and modules
(--mount). If there are more than 20 of these, a model sees tool_search instead.
With --json: name, description, input_schema, kind, source and requires of each tool.`,
  groups: [commonOptions],
  examples: ["haft tools", "haft tools --dialect codex", "haft tools --json | jq '.[].name'"],
  load: async () => (await import("../commands/tools.ts")).listTools,
};
