import type { Command } from "../command.ts";
import { modelOptions } from "./agent.ts";
import { commonWithout } from "./option-groups.ts";

/** `haft acp` */
export const acp: Command = {
  details: `
Speaks the Agent Client Protocol on standard input and output. The client chooses the workspace: it is
the directory of each session. Primary agents are the client's modes. If the client offers to read and
write files and to run commands, Haft uses it for that. Such commands run outside Haft's sandbox, so
each one needs approval.`,
  options: {
    ...modelOptions,
    delegate: {
      value: "WHAT",
      description: "What to do through the client, as far as the client offers it",
      choices: ["all", "fs", "terminal", "none"],
      default: "all",
    },
  },
  groups: [commonWithout("workspace", "session", "json")],
  examples: [
    "haft acp --model anthropic/claude-sonnet-4-5",
    "haft acp --model openai-compatible/qwen3 --base-url http://127.0.0.1:11434/v1 --delegate fs",
  ],
  load: async () => (await import("../commands/acp.ts")).runAcp,
};
