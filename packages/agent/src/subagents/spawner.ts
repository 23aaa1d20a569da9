import type { Agent, BackgroundWork } from "../loop/agent.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import type { ChildIsolation, IsolationRequest } from "./child-isolation.ts";

/** A request to open a subagent. */
export interface ChildRequest {
  readonly manifest: AgentManifest;
  /** ID of the session whose call starts it. */
  readonly parent: string;
  /** ID of that call. */
  readonly callId: string;
  readonly isolation: IsolationRequest;
  /** The background work of a session. The child reports on its own. */
  backgroundOf(session: string): BackgroundWork;
  /** Awaited before each request to the model, so that many children don't block the event loop. */
  pace?(): Promise<void>;
}

/** A subagent that is ready to be prompted. */
export interface Child {
  readonly agent: Agent;
  /** 1 for the child of a primary agent. */
  readonly depth: number;
  /** Absent if isolation was not asked for. */
  readonly isolation?: ChildIsolation;
  /** Closes its thread and suspends its session. Its background work must have been stopped. */
  close(): Promise<void>;
}

/** Opens subagents in child sessions inside the bounds of their parents. */
export interface Spawner {
  /** Returns the depth of a session: 0 for a primary agent's, or one without an agent. */
  depthOf(session: string): number;
  /** Rejects with a `ToolError` if there is no model, or the model or manifest can't be used. */
  openChild(request: ChildRequest): Promise<Child>;
}
