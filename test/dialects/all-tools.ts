import { tmpdir } from "node:os";
import { createWorkspaceAgents } from "@haft/agent/internal/workspace-agents";
import { createDiskComputer } from "@haft/computer";
import type { Tool } from "@haft/contract";
import { builtinTools } from "@haft/tools";

const directory = tmpdir();

/** The built-in tools and the tools of agents. They are only described here, never called. */
export const allTools: readonly Tool[] = [
  ...builtinTools,
  ...createWorkspaceAgents({
    computer: createDiskComputer({ workspace: directory }),
    stateDirectory: directory,
    home: directory,
    environment: {},
    hasAgent: true,
    hasPrograms: true,
    hasCells: true,
    warn: () => {},
  }).tools,
];
