import { defineTool, type Runtime, type Tool } from "@haft/contract";
import type { BackgroundTask } from "./background-task.ts";
import { type ChildData, childOutput, childProperties } from "./child-data.ts";
import type { Crew } from "./crew.ts";
import { findAgent } from "./find-agent.ts";
import { requireAnswer } from "./require-answer.ts";
import { spawnChild } from "./spawn-child.ts";

/** The arguments of `task`. */
export interface TaskArguments {
  subagent_type: string;
  prompt: string;
  description?: string;
  background?: boolean;
}

/** A task that was begun in the background. */
export interface BegunTask {
  task_id: string;
  status: "running";
  agent: string;
  thread?: string;
  message: string;
}

/** What came of the work, or that it has begun. */
export type TaskData = ChildData | BegunTask;

const usage = [
  "Has a subagent do a piece of work in a session of its own, and returns its answer.",
  "The subagent sees nothing of this talk: the prompt must hold everything that it needs, and say what to answer with.",
  "Several calls in one step run at once. With background it goes on beside you: you are told when it ends.",
  "It may do no more than you may. For a file whose path you know, or a single search, read and grep are quicker.",
].join(" ");

/** Has agents spawned. What `listAgents` says is part of the description, whenever that is read. */
export function createTaskTool(
  crew: Crew,
  listAgents: () => string,
): Tool<TaskArguments, TaskData> {
  const tool: Tool<TaskArguments, TaskData> = defineTool({
    id: "task",
    description: usage,
    parameters: {
      type: "object",
      properties: {
        subagent_type: { type: "string", minLength: 1, description: "Which subagent." },
        prompt: {
          type: "string",
          minLength: 1,
          pattern: "\\S",
          description: "The task, with everything that the subagent must know.",
        },
        description: { type: "string", description: "The task in a few words, for people." },
        background: {
          type: "boolean",
          description: "Do not wait for it; false if left out.",
        },
      },
      required: ["subagent_type", "prompt"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        ...childProperties,
        task_id: { type: "string", description: "For task_output and task_stop." },
        status: { enum: ["running"], description: "It was begun in the background." },
        message: { type: "string" },
      },
      required: ["agent"],
      additionalProperties: false,
    },
    requires: {},
    kind: "other",
    source: "builtin",
    timeoutMs: "none",
    maxOutput: childOutput,
    // Whom a rule is about. Children keep out of each other's way by themselves.
    execution: {
      resourceKeys: ({ subagent_type }) => [{ key: subagent_type, mode: "read", type: "name" }],
    },
    execute: (args, runtime) => runTask(args, runtime, crew),
  });
  return {
    ...tool,
    get description() {
      const list = listAgents();
      return list === "" ? usage : `${usage}\n\nSubagents:\n${list}`;
    },
  };
}

async function runTask(args: TaskArguments, runtime: Runtime, crew: Crew): Promise<TaskData> {
  const manifest = findAgent(args.subagent_type, await crew.manifests());
  const child = await spawnChild({ manifest, prompt: args.prompt }, runtime, crew);
  if (args.background) return toBegun(crew.tasksOf(runtime.session.id).start(child));
  return requireAnswer(await child.run(runtime.signal));
}

function toBegun({ id, agent, thread }: BackgroundTask): BegunTask {
  return {
    task_id: id,
    status: "running",
    agent,
    ...(thread !== undefined && { thread }),
    message: "You will be told when it ends. Go on with other work meanwhile.",
  };
}
