import type { Tool } from "@haft/contract";
import type { BackgroundWork } from "../loop/agent.ts";
import type { AgentListener } from "../loop/agent-event.ts";
import type { AgentManifests } from "../manifests/agent-manifest.ts";
import { createAgentTool } from "./agent-tool.ts";
import { type BackgroundTasks, createBackgroundTasks } from "./background-tasks.ts";
import type { Crew } from "./crew.ts";
import { describeAgents } from "./describe-agents.ts";
import { createFamily } from "./family.ts";
import { listSpawnable } from "./find-agent.ts";
import { createLine, type Line } from "./line.ts";
import { namedAgents } from "./named-agents.ts";
import { createPace } from "./pace.ts";
import type { Spawner } from "./spawner.ts";
import { createTaskOutputTool } from "./task-output-tool.ts";
import { createTaskStopTool } from "./task-stop-tool.ts";
import { createTaskTool } from "./task-tool.ts";

/** What agents are spawned by, and what they do beside each other. */
export interface Subagents {
  /** After `load` also the project's and the user's agents that are tools. */
  readonly tools: readonly Tool[];
  /** Reads the manifests: from then on the tools tell which agents there are. Calls do so by themselves. */
  load(): Promise<void>;
  /** What a session has in the background. */
  backgroundOf(session: string): BackgroundWork;
  /** Hears what the inspectable children of a session do, and theirs, until the cleanup. */
  onEvents(session: string, listener: AgentListener): () => void;
  /** Stops what a session has in the background, and what that has. Resolves when all has ended. */
  stop(session: string): Promise<void>;
  /** Stops everything. */
  close(): Promise<void>;
}

/** Where subagents come from. */
export interface SubagentsOptions {
  spawner(): Promise<Spawner>;
  manifests(): AgentManifests | Promise<AgentManifests>;
}

// As many children of one depth are at work in a tree of sessions, and so many more may wait. Each depth has
// a line of its own: nobody waits for a place that its own parent has.
const lineSize = { places: 50, longest: 250 };

/** The tools that spawn agents, and what keeps the agents in order. Nothing heavy is loaded before a call. */
export function createSubagents(options: SubagentsOptions): Subagents {
  const tasks = new Map<string, BackgroundTasks>();
  const lines = new Map<string, Line>();
  const family = createFamily();
  let known: AgentManifests | undefined;
  const stop = async (session: string): Promise<void> => {
    await tasks.get(session)?.stopAll();
  };
  const crew: Crew = {
    spawner: options.spawner,
    manifests: async () => {
      known ??= await options.manifests();
      return known;
    },
    family,
    join: (root, depth) => {
      for (const [key, line] of lines) if (line.isEmpty) lines.delete(key);
      const key = `${depth} ${root}`;
      const line = lines.get(key) ?? createLine(lineSize);
      lines.set(key, line);
      return line.join();
    },
    tasksOf: (session) => {
      const own = tasks.get(session) ?? createBackgroundTasks();
      tasks.set(session, own);
      return own;
    },
    stop,
    forget: (session) => {
      tasks.delete(session);
      family.remove(session);
    },
    pace: createPace(),
  };
  const ownTools: readonly Tool[] = [
    createTaskTool(crew, () => (known === undefined ? "" : describeAgents(listSpawnable(known)))),
    createTaskOutputTool(crew),
    createTaskStopTool(crew),
    ...Object.entries(namedAgents).map(([name, description]) =>
      createAgentTool({ name, describe: () => known?.get(name)?.description ?? description }, crew),
    ),
  ] as readonly Tool[];
  let tools = ownTools;
  return {
    get tools() {
      return tools;
    },
    load: async () => {
      const taken = new Set(ownTools.map(({ id }) => id));
      const others = (await crew.manifests())
        .list()
        .filter(({ name, mode, isTool }) => isTool && mode !== "primary" && !taken.has(name))
        .map(({ name, description }) =>
          createAgentTool({ name, describe: () => description }, crew),
        );
      if (tools === ownTools) tools = [...ownTools, ...(others as readonly Tool[])];
    },
    backgroundOf: (session) => crew.tasksOf(session).work,
    onEvents: family.listen,
    stop,
    close: async () => {
      await Promise.all([...tasks.keys()].map(stop));
      tasks.clear();
    },
  };
}
