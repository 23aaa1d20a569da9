import { ToolError } from "@haft/contract";
import { nearestNames } from "@haft/core/internal";
import type { AgentManifest, AgentManifests } from "../manifests/agent-manifest.ts";
import { explainUntrusted } from "../manifests/explain-untrusted.ts";

/** Returns the subagent of this name. Throws a `ToolError` that lists the subagents if there is none. */
export function findAgent(name: string, manifests: AgentManifests): AgentManifest {
  const manifest = manifests.get(name);
  if (manifest !== undefined && manifest.mode !== "primary") return manifest;
  const known = listSpawnable(manifests).map((one) => one.name);
  const list = known.length === 0 ? "There are none." : `Subagents: ${known.join(", ")}.`;
  if (manifest !== undefined) {
    throw new ToolError(
      "invalid-arguments",
      `The agent ${name} is a primary agent and can't be started as a subagent. ${list}`,
    );
  }
  const remedy = explainUntrusted(name, manifests);
  if (remedy !== undefined) throw new ToolError("not-available", `${remedy} ${list}`);
  const [near] = nearestNames(name, known, 1);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  throw new ToolError("not-found", `There is no subagent ${JSON.stringify(name)}.${hint} ${list}`);
}

/** Lists the agents that tool descriptions mention. */
export function listSpawnable(manifests: AgentManifests): readonly AgentManifest[] {
  return manifests.list().filter(({ mode, isHidden }) => mode !== "primary" && !isHidden);
}
