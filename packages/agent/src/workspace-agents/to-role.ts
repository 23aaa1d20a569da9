import type { Manifest, Mode, SessionRole } from "@haft/core";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import type { AgentSetup } from "./agent-setup.ts";

/** Returns the session role of an agent: its tools, its requirements, and read access to the files of skills. */
export function toRole(
  manifest: AgentManifest,
  { skillFiles }: Pick<AgentSetup, "skillFiles">,
  use?: ModeUse,
): SessionRole {
  const core = toCoreManifest(manifest);
  const read = [...(core.requires?.fs?.read ?? []), ...(skillFiles.fs?.read ?? [])];
  const fs = { ...core.requires?.fs, ...(read.length > 0 && { read }) };
  return {
    mode: findMode(manifest, use),
    manifest: { ...core, requires: { ...core.requires, fs } },
  };
}

// Without a tool list an agent gets all tools except two: only a planner has a plan to leave, and a
// subagent without a layer shares its parent's journal, where it could undo the changes of others.
function findMode(manifest: AgentManifest, use: ModeUse = {}): Mode {
  const mode = toMode(manifest, use);
  if (manifest.tools !== undefined) return mode;
  const sharesJournal = use.isSubagent === true && use.isIsolated !== true;
  const excludeTools = sharesJournal ? ["plan_exit", "undo_edit"] : ["plan_exit"];
  return { ...mode, excludeTools };
}

/** How an agent runs. */
interface ModeUse {
  /** Whether it gets the toolbox tools meant for subagents of its name. Default: false. */
  readonly isSubagent?: boolean;
  /** Whether it works on a layer of its own. Default: false. */
  readonly isIsolated?: boolean;
}

/** Returns the session mode that gives an agent its tools. */
export function toMode(manifest: AgentManifest, { isSubagent = false }: ModeUse = {}): Mode {
  const { name, tools } = manifest;
  // A manifest that lists its tools gets no others.
  const isOpen = tools === undefined;
  return {
    ...(isOpen ? {} : { includeTools: tools }),
    allowMcp: manifest.allowMcp ?? isOpen,
    allowToolbox: manifest.allowToolbox ?? isOpen,
    ...(isSubagent ? { subagentType: name } : {}),
  };
}

/** Returns the requirements and rules of an agent as a session manifest. */
export function toCoreManifest({ name, requires, roots, rules }: AgentManifest): Manifest {
  return {
    name,
    ...(roots === undefined ? {} : { roots }),
    ...(requires === undefined ? {} : { requires }),
    ...(rules === undefined ? {} : { rules }),
  };
}
