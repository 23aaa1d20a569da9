import type { RunCommand } from "../command.ts";
import { createAgentCommand } from "./agent/create-agent-command.ts";

/** `haft agent` */
export const runAgent: RunCommand = createAgentCommand(async (options, io, choice) => {
  // Loaded when used, so that wrong options are reported quickly.
  const { openAgents } = await import("../agents/open-agents.ts");
  return openAgents(options, io, { ...choice, asksForTrust: true });
});
