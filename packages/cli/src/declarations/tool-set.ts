import type { Subcommand } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";

/** `haft tool set` */
export const toolSet: Subcommand = {
  summary: "List, show, create, update and delete tool sets",
  details: `
A tool set is a list of tools with version constraints, names of its own and instructions for models.
Roles and keys can be limited to a set (haft role create --help), and MCP clients can use one
(haft mcp install CLIENT --org ORG --set NAME). update keeps what no option names.`,
  arguments: [
    {
      name: "ACTION",
      description: "list, show, create, update or delete. Default: list",
      optional: true,
      suggestions: ["list", "show", "create", "update", "delete"],
    },
    { name: "NAME", description: "Name of the set", optional: true },
  ],
  options: {
    tool: {
      value: "[NAME=]TOOL[@VERSION]",
      description:
        "Tool of the set, with its name in the set and a version or range. Replaces all tools",
      multiple: true,
    },
    instructions: { value: "TEXT", description: "Instructions for models that use the set" },
    file: {
      value: "FILE",
      description:
        'JSON with "instructions" and "tools" ({"tool_id", "version", "name", "instructions"})',
      completes: "file",
    },
    yes: { description: "Do not ask" },
  },
  groups: [platformOptions],
  examples: [
    "haft tool set create support --tool look_up --tool 'refund=pay_back@>=1.2,<2' --instructions 'Look up first.'",
    "haft tool set show support --json",
    "haft tool set delete support --yes",
  ],
  load: onPlatform(async () => (await import("../commands/tool/set.ts")).changeToolSets),
};
