import type { Mode } from "@haft/core";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import { type ModeUse, toMode } from "../manifests/to-mode.ts";

/**
 * Which tools an agent has. Who names none has all, but for those that are not for everybody: only a planner has
 * a plan to leave, and a subagent shares its parent's journal, where it could take back what others did.
 */
export function findMode(manifest: AgentManifest, use: ModeUse = {}): Mode {
  const mode = toMode(manifest, use);
  if (manifest.tools !== undefined) return mode;
  const excludeTools = use.isSubagent === true ? ["plan_exit", "undo_edit"] : ["plan_exit"];
  return { ...mode, excludeTools };
}
