import { setTimeout as wait } from "node:timers/promises";
import type { Tool } from "@haft/contract";
import type { BackgroundWork } from "../loop/agent.ts";
import type { AgentListener } from "../loop/agent-event.ts";
import type { AgentManifests } from "../manifests/agent-manifest.ts";
import { agentDescriptions } from "./agent-descriptions.ts";
import { createAgentTool } from "./agent-tool.ts";
import { type BackgroundTasks, createBackgroundTasks } from "./background-tasks.ts";
import { type ChildQueue, createChildQueue } from "./child-queue.ts";
import { describeAgents } from "./describe-agents.ts";
import { listSpawnable } from "./find-agent.ts";
import { createPace } from "./pace.ts";
import { createSessionTree } from "./session-tree.ts";
import type { Spawner } from "./spawner.ts";
import type { SubagentPool } from "./subagent-pool.ts";
import { createTaskOutputTool } from "./task-output-tool.ts";
import { createTaskStopTool } from "./task-stop-tool.ts";
import { createTaskTool } from "./task-tool.ts";

/** The tools that start subagents, and the subagents that run. */
export interface Subagents {
  /** After `load` also the project's and the user's agents that are tools. */
  readonly tools: readonly Tool[];
  /** Reads the manifests, so that tool descriptions list the agents. Calls read them by themselves. */
  load(): Promise<void>;
  /** The background tasks of a session. */
  backgroundOf(session: string): BackgroundWork;
  /** Reports what the inspectable descendants of a session do, until the returned function is called. */
  onEvents(session: string, listener: AgentListener): () => void;
  /** Stops the background tasks of a session and their descendants. Resolves when all have ended. */
  stop(session: string): Promise<void>;
  /** Stops the background tasks of all sessions, and waits until isolated subagents have ended. */
  close(): Promise<void>;
}

/** Options of `createSubagents`. */
export interface SubagentsOptions {
  readonly spawner: Spawner;
  manifests(): AgentManifests | Promise<AgentManifests>;
}

const patienceMs = 5_000;

// Limits for subagents of one depth in a tree of sessions. Each depth has a queue of its own: a subagent
// must not wait for a slot that its own parent holds.
const queueLimits = { maxRunning: 50, maxTotal: 250 };

/** Creates the tools that start subagents. Nothing heavy is loaded before a call. */
export function createSubagents(options: SubagentsOptions): Subagents {
  const tasks = new Map<string, BackgroundTasks>();
  const queues = new Map<string, ChildQueue>();
  const endings = new Set<Promise<unknown>>();
  const tree = createSessionTree();
  let known: AgentManifests | undefined;
  const stop = async (session: string): Promise<void> => {
    await tasks.get(session)?.stopAll();
  };
  const pool: SubagentPool = {
    spawner: options.spawner,
    manifests: async () => {
      known ??= await options.manifests();
      return known;
    },
    tree,
    join: (root, depth) => {
      for (const [key, queue] of queues) if (queue.isEmpty) queues.delete(key);
      const key = `${depth} ${root}`;
      const queue = queues.get(key) ?? createChildQueue(queueLimits);
      queues.set(key, queue);
      return queue.join();
    },
    tasksOf: (session) => {
      const own = tasks.get(session) ?? createBackgroundTasks();
      tasks.set(session, own);
      return own;
    },
    stop,
    forget: (session) => {
      tasks.delete(session);
      tree.remove(session);
    },
    pace: createPace(),
    awaitEnd: (ending) => {
      const settled: Promise<unknown> = ending
        .catch(() => undefined)
        .finally(() => endings.delete(settled));
      endings.add(settled);
    },
  };
  const ownTools: readonly Tool[] = [
    createTaskTool(pool, () => (known === undefined ? "" : describeAgents(listSpawnable(known)))),
    createTaskOutputTool(pool),
    createTaskStopTool(pool),
    ...Object.entries(agentDescriptions).map(([name, description]) =>
      createAgentTool({ name, describe: () => known?.get(name)?.description ?? description }, pool),
    ),
  ] as readonly Tool[];
  let tools = ownTools;
  return {
    get tools() {
      return tools;
    },
    load: async () => {
      const taken = new Set(ownTools.map(({ id }) => id));
      const others = (await pool.manifests())
        .list()
        .filter(({ name, mode, isTool }) => isTool && mode !== "primary" && !taken.has(name))
        .map(({ name, description }) =>
          createAgentTool({ name, describe: () => description }, pool),
        );
      if (tools === ownTools) tools = [...ownTools, ...(others as readonly Tool[])];
    },
    backgroundOf: (session) => pool.tasksOf(session).work,
    onEvents: tree.listen,
    stop,
    close: async () => {
      await Promise.all([...tasks.keys()].map(stop));
      tasks.clear();
      // A call that was aborted does not wait until its subagent's changes are applied.
      await Promise.race([Promise.all(endings), wait(patienceMs, undefined, { ref: false })]);
    },
  };
}
