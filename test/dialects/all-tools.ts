import { tmpdir } from "node:os";
import { createAgentServices } from "@haft/agent/services";
import { createDiskComputer } from "@haft/computer";
import type { Tool } from "@haft/contract";
import { builtinTools } from "@haft/tools";

const directory = tmpdir();

/** The built-in tools and those of agents, which nobody calls here: nothing of them is opened. */
export const allTools: readonly Tool[] = [
  ...builtinTools,
  ...createAgentServices({
    computer: createDiskComputer({ workspace: directory }),
    openSession: () => {
      throw new Error("No session is opened here.");
    },
    stateDirectory: directory,
    home: directory,
    environment: {},
    hasAgent: true,
    warn: () => {},
  }).tools,
];
