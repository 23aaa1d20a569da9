import type { Agent, AgentManifests, AgentStart, StartedAgent, Threads } from "@haft/agent";
import type { Host, Session } from "@haft/core";

/** What the terminal needs of an agent at work. */
export interface RunningAgent extends Pick<StartedAgent, "model" | "become" | "close"> {
  readonly session: Pick<Session, "name" | "call">;
  readonly manifest: Pick<StartedAgent["manifest"], "name">;
  readonly prompt: Agent["prompt"];
}

/** Where the terminal gets its agents from. */
export interface AgentSource {
  start(start: AgentStart): Promise<RunningAgent>;
  readonly threads: Pick<Threads, "list">;
  readonly manifests: Pick<AgentManifests, "list">;
  /** Names and descriptions of skills. */
  listSkills(): readonly { readonly name: string; readonly description: string }[];
  /** The first root of the workspace. */
  readonly root: string;
  /** Who is asked, as the options say. */
  readonly host: Host;
  close(): Promise<void>;
}
