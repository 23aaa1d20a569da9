import type { AgentManifests } from "../manifests/agent-manifest.ts";
import type { BackgroundTasks } from "./background-tasks.ts";
import type { QueueSlot } from "./child-queue.ts";
import type { SessionTree } from "./session-tree.ts";
import type { Spawner } from "./spawner.ts";

/** What the tools that start subagents share. */
export interface SubagentPool {
  readonly spawner: Spawner;
  manifests(): Promise<AgentManifests>;
  readonly tree: SessionTree;
  /** Joins the queue for this depth in the tree of a root session. Returns `undefined` if the queue is full. */
  join(root: string, depth: number): QueueSlot | undefined;
  tasksOf(session: string): BackgroundTasks;
  /** Stops the background tasks of a session and their descendants. */
  stop(session: string): Promise<void>;
  /** Forgets a session that has ended. */
  forget(session: string): void;
  pace(): Promise<void>;
  /** Lets the pool wait for the end of an isolated subagent, whose changes are applied last. */
  awaitEnd(ending: Promise<unknown>): void;
}
