import type { Agent } from "../loop/agent.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";

/** Somebody who is to be spawned. */
export interface ChildRequest {
  readonly manifest: AgentManifest;
  /** The id of the session whose call spawns it. */
  readonly parent: string;
  /** That call. */
  readonly callId: string;
  /** Awaited before each of its requests to the model: many children then don't keep others waiting. */
  pace?(): Promise<void>;
}

/** A child that is ready to be prompted. */
export interface Child {
  readonly agent: Agent;
  /** 1 for the child of a primary agent. */
  readonly depth: number;
  /** Lets go of its thread and session. */
  close(): Promise<void>;
}

/** Makes children: child sessions inside the bounds of their parents. */
export interface Spawner {
  /** How deep the session is: 0 for a primary agent's, or one without an agent. */
  depthOf(session: string): number;
  /** Throws a `ToolError` if it can't be: no model, a model that can't be opened, a manifest that can't be used. */
  openChild(request: ChildRequest): Promise<Child>;
}
