import type { DiskComputer, LayeredComputer, LayerScope } from "@haft/computer";
import { ToolError } from "@haft/contract";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import type { IsolationRequest } from "../subagents/child-isolation.ts";
import type { ParentSession } from "./parent-session.ts";

/** What a subagent's isolation depends on. */
export interface IsolationContext {
  readonly computer: DiskComputer;
  readonly parent: ParentSession;
  readonly manifest: AgentManifest;
  /** The call that the subagent's changes belong to. `undefined` if it has ended. */
  readonly scope: LayerScope | undefined;
}

/** The layer of a subagent, or why it has none although one was wanted. */
export type Isolated = { readonly layered?: LayeredComputer; readonly reason?: string };

/** Opens a layer for a subagent that asks for one. Throws `unavailable` if it insists and there is none. */
export async function isolateChild(
  request: IsolationRequest,
  { computer, parent, manifest, scope }: IsolationContext,
): Promise<Isolated> {
  if (request === "none") return {};
  if (request === "auto" && (parent.isIsolated || !mayWrite(manifest, parent))) return {};
  try {
    if (parent.isIsolated) {
      throw new ToolError(
        "unavailable",
        "An isolated subagent shares its layer with the subagents that it starts.",
      );
    }
    if (scope === undefined) {
      throw new ToolError("unavailable", "The call that started the subagent has ended.");
    }
    return { layered: await computer.openLayered(scope) };
  } catch (error) {
    if (request === "layer" || !ToolError.isInstance(error)) throw error;
    return { reason: error.message };
  }
}

function mayWrite({ tools }: AgentManifest, { session }: ParentSession): boolean {
  return session
    .tools("all")
    .filter(({ name, tool }) => tools === undefined || tools.includes(name) || tools.includes(tool))
    .some(({ requires: { fs, shell } }) => fs?.write !== undefined || shell !== undefined);
}
