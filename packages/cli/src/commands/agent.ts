import type { Command } from "../command.ts";
import { createAgentCommand } from "./agent/create-agent-command.ts";

/** `haft agent` */
export const agent: Command = createAgentCommand(async (options, io, choice) => {
  // Loaded when used: help needs none of it.
  const { openAgents } = await import("../agents/open-agents.ts");
  const { workspace, manifests, threads, start, close } = await openAgents(options, io, choice);
  return {
    manifests,
    threads,
    start,
    close,
    root: workspace.computer.roots[0] as string,
    host: workspace.host,
    listSkills: () => workspace.agents.skills().list(),
  };
});
