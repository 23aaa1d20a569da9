import type { Command } from "../command.ts";
import { commonOnly } from "./option-groups.ts";

const groups = [commonOnly("workspace", "json")];

/** `haft agents` */
export const agents: Command = {
  details: `
An agent is a file: .haft/agents/NAME.md in the project, or ~/.config/haft/agents/NAME.md for all your
projects. A project's agents are used once you have trusted them: haft trust. The file starts with
lines such as 'description: ...', 'mode: primary' and 'tools: [read, grep]' between two lines of ---;
the prompt follows. See docs/guides/haft-agent.md.`,
  defaultSubcommand: "list",
  subcommands: {
    list: {
      summary: "List every agent, and what is wrong with files that are not valid agents",
      details: "Exits with 1 if a file cannot be used as it is.",
      groups,
      examples: [
        "haft agents",
        `haft agents list --json | jq -r '.[] | select(.mode != "subagent").name'`,
      ],
      load: async () => (await import("../commands/agents.ts")).listAgents,
    },
    show: {
      summary: "Show an agent with its prompt",
      arguments: [{ name: "NAME", description: "Name of the agent" }],
      groups,
      examples: ["haft agents show plan"],
      load: async () => (await import("../commands/agents.ts")).showAgent,
    },
  },
};
