import type { Command } from "../command.ts";
import { type OpenLocalPlatform, openLocalPlatform } from "../environments/local-platform.ts";
import { onAccess } from "./loaders.ts";
import { accessOptions } from "./option-groups.ts";

const groups = [accessOptions];

const permission = {
  value: "RESOURCE:ACTION",
  description: "What keys of the role may do, such as Tool:InvokeTool. They may do nothing else",
  multiple: true,
  required: true,
} as const;

/** Declares `haft role`; where no server runs, it works on the stores that `open` opens. */
export function declareRole(open: OpenLocalPlatform): Command {
  return {
    defaultSubcommand: "list",
    subcommands: {
      create: {
        summary: "Create a role: what API keys with this role may do",
        details: `
A permission can be limited to some tools: @tool:NAME, @tag:KEY:VALUE (VALUE can be * for any, or empty
for none) or @set:NAME behind Tool:GetTool, Tool:InvokeTool, Tool:ModifyTool, Tool:DeleteTool,
Conversation:GetInteractionInsights or Simulation:GetSimulationUnitTestSetRun. Keys with such a role see
only the tools that they may use.`,
        arguments: [{ name: "NAME", description: "Name of the role" }],
        options: { permission },
        groups,
        examples: [
          "haft role create caller --permission Tool:InvokeTool",
          "haft role create support --permission Tool:InvokeTool@set:support",
          "haft key create --role caller --name ci",
        ],
        load: onAccess(open, async () => (await import("../commands/role.ts")).createRole),
      },
      update: {
        summary: "Replace the permissions of a role, for its API keys at once",
        arguments: [{ name: "NAME", description: "Name of the role" }],
        options: { permission },
        groups,
        examples: [
          "haft role update support --permission Tool:GetTool --permission Tool:InvokeTool@set:support",
        ],
        load: onAccess(open, async () => (await import("../commands/role.ts")).updateRole),
      },
      list: {
        summary: "List the organization's roles",
        groups,
        examples: ["haft role list"],
        load: onAccess(open, async () => (await import("../commands/role.ts")).listRoles),
      },
      delete: {
        summary: "Delete a role",
        arguments: [{ name: "NAME", description: "Name of the role" }],
        groups,
        examples: ["haft role delete caller"],
        load: onAccess(open, async () => (await import("../commands/role.ts")).deleteRole),
      },
    },
  };
}

/** `haft role` */
export const role: Command = declareRole(openLocalPlatform);
