import type { Mode } from "@haft/core";
import type { AgentManifest } from "./agent-manifest.ts";

/** As what an agent runs. */
export interface ModeUse {
  /** Then it has those toolbox tools that serve subagents of its name. */
  readonly isSubagent?: boolean;
}

/** Which tools an agent uses, as a session is told. */
export function toMode(manifest: AgentManifest, { isSubagent = false }: ModeUse = {}): Mode {
  const { name, tools } = manifest;
  // Whoever names the tools wants no others.
  const isOpen = tools === undefined;
  return {
    ...(isOpen ? {} : { includeTools: tools }),
    allowMcp: manifest.allowMcp ?? isOpen,
    allowToolbox: manifest.allowToolbox ?? isOpen,
    ...(isSubagent ? { subagentType: name } : {}),
  };
}
