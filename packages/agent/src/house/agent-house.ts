import type { Host, Session, SessionOptions } from "@haft/core";
import type { Agent, AgentLimits } from "../loop/agent.ts";
import type { AgentManifest, AgentManifests } from "../manifests/agent-manifest.ts";
import type { Threads } from "../threads/threads.ts";

/** What differs from session to session of a workspace. */
export type SessionDifference = Pick<
  SessionOptions,
  "name" | "host" | "mode" | "manifest" | "parent" | "changesOf"
>;

/** Who is to start, and how. */
export interface AgentStart {
  /** The agent's name; `build` unless said. */
  readonly agent?: string | undefined;
  /** The session's name; a new one unless said. */
  readonly session?: string | undefined;
  /** `PROVIDER/MODEL` for the agent, whatever its manifest and the settings say. */
  readonly model?: string | undefined;
  readonly limits?: AgentLimits | undefined;
  readonly host?: Host | undefined;
  /** Whether diagnostics of changed files are told to the model. */
  readonly diagnostics?: boolean | undefined;
}

/** A primary agent at work. */
export interface StartedAgent extends Agent {
  /** Who acts now. */
  readonly manifest: AgentManifest;
  /** `PROVIDER/MODEL` */
  readonly model: string;
  /** Has another primary agent act from the next request on. A `TypeError` names those there are. */
  become(agent: string): void;
  /** Is told when another agent acts, also by `plan_exit`. */
  onAgentChange(listener: (manifest: AgentManifest) => void): void;
  /** Stops what runs in the background, closes the thread. */
  close(): Promise<void>;
}

/** The agents of a workspace. */
export interface AgentHouse {
  readonly manifests: AgentManifests;
  readonly threads: Threads;
  /** Throws a `TypeError` with the remedy where there is no such agent or no model. */
  start(start: AgentStart): Promise<StartedAgent>;
  /** Has a session that somebody else opened be a parent: `task` works in it too. */
  adopt(session: Session): void;
  close(): Promise<void>;
}
