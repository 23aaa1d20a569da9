import type { Host, SessionOptions } from "@haft/core";
import type { Agent } from "../loop/agent.ts";
import type { AgentLimits } from "../loop/agent-limits.ts";
import type { AgentManifest, AgentManifests } from "../manifests/agent-manifest.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import type { Spawner } from "../subagents/spawner.ts";
import type { Threads } from "../threads/threads.ts";

/** What differs from session to session of a workspace. */
export type SessionDifference = Pick<
  SessionOptions,
  "name" | "host" | "mode" | "manifest" | "parent" | "changesOf"
>;

/** Who is to start, and how. */
export interface AgentStart {
  /** The agent's name; that of the settings, else `build`, unless said. */
  readonly agent?: string | undefined;
  /** The session's name; a new one unless said. */
  readonly session?: string | undefined;
  /** `PROVIDER/MODEL` for the agent, whatever its manifest and the settings say. */
  readonly model?: string | undefined;
  readonly limits?: AgentLimits | undefined;
  /** Nobody is asked unless said. */
  readonly host?: Host | undefined;
  /** Whether diagnostics of changed files are told to the model; as the settings say unless said. */
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
  readonly settings: AgentSettings;
  /** What makes subagents. */
  readonly spawner: Spawner;
  /** Throws a `TypeError` with the remedy where there is no such agent or no model. */
  start(start: AgentStart): Promise<StartedAgent>;
}
