import { ToolError } from "@haft/contract";
import { nearestNames } from "@haft/core";
import type { AgentManifest, AgentManifests } from "../manifests/agent-manifest.ts";

/** The agent of this name, if it can be spawned; else a `ToolError` that names those that can be. */
export function findAgent(name: string, manifests: AgentManifests): AgentManifest {
  const manifest = manifests.get(name);
  if (manifest !== undefined && manifest.mode !== "primary") return manifest;
  const known = listSpawnable(manifests).map((one) => one.name);
  const list = known.length === 0 ? "There are none." : `Subagents: ${known.join(", ")}.`;
  if (manifest !== undefined) {
    throw new ToolError(
      "invalid-arguments",
      `The agent ${name} works for a person and can't be spawned. ${list}`,
    );
  }
  const [near] = nearestNames(name, known, 1);
  const hint = near === undefined ? "" : ` Is ${near} meant?`;
  throw new ToolError("not-found", `There is no subagent ${JSON.stringify(name)}.${hint} ${list}`);
}

/** The agents that others are told of. */
export function listSpawnable(manifests: AgentManifests): readonly AgentManifest[] {
  return manifests.list().filter(({ mode, isHidden }) => mode !== "primary" && !isHidden);
}
