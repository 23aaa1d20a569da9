import type { Command } from "../command.ts";
import { commonOptions } from "./option-groups.ts";

/** `haft tools` */
export const tools: Command = {
  details: `
The list includes tools from MCP servers (mcp__SERVER__TOOL), toolbox scripts (tb__NAME) and modules
(--mount). If all definitions exceed --max-definition-tokens, a model sees tool_search instead of these.
With --json: name, description, input_schema, kind, source and requires of each tool.
--cost estimates tokens as a quarter of the characters of name, description and input schema.`,
  options: {
    cost: {
      description:
        "Show the estimated tokens of each definition and of each source, and which a model must search for",
    },
  },
  groups: [commonOptions],
  examples: [
    "haft tools",
    "haft tools --dialect codex",
    "haft tools --json | jq '.[].name'",
    "haft tools --cost",
  ],
  load: async () => (await import("../commands/tools.ts")).listTools,
};
