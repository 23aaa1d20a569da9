import type { AgentManifests } from "../manifests/agent-manifest.ts";
import type { BackgroundTasks } from "./background-tasks.ts";
import type { Family } from "./family.ts";
import type { Ticket } from "./line.ts";
import type { Spawner } from "./spawner.ts";

/** What the tools that spawn agents have in common. */
export interface Crew {
  spawner(): Promise<Spawner>;
  manifests(): Promise<AgentManifests>;
  readonly family: Family;
  /** A place in the line of children of this depth in the tree of a root session. */
  join(root: string, depth: number): Ticket | undefined;
  tasksOf(session: string): BackgroundTasks;
  /** Stops what a session has in the background, and what that has. */
  stop(session: string): Promise<void>;
  /** Forgets a session that has ended. */
  forget(session: string): void;
  pace(): Promise<void>;
}
