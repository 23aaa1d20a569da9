import { defineTool, type Runtime, type Tool } from "@haft/contract";
import type { BackgroundTask } from "./background-task.ts";
import { type ChildData, childOutput, childProperties } from "./child-data.ts";
import { findAgent } from "./find-agent.ts";
import { requireAnswer } from "./require-answer.ts";
import { spawnChild } from "./spawn-child.ts";
import type { SubagentPool } from "./subagent-pool.ts";

/** Arguments of `task`. */
export interface TaskArguments {
  subagent_type: string;
  prompt: string;
  description?: string;
  background?: boolean;
  isolation?: "layer" | "none";
}

/** A task that was started in the background. */
export interface BegunTask {
  task_id: string;
  status: "running";
  agent: string;
  thread?: string;
  isolation?: "layer" | "none";
  message: string;
}

/** The outcome, or the ID of the background task. */
export type TaskData = ChildData | BegunTask;

const description = [
  "Gives a piece of work to a subagent in a session of its own, and returns its answer.",
  "It does not see this conversation: the prompt must contain everything it needs, and say what to answer. It has at most your permissions.",
  "Several calls in one step run in parallel. For a file whose path you know, or a single search, `read` and `grep` are faster.",
].join(" ");

/** Creates the tool that starts subagents. `listAgents` is called whenever the description is read. */
export function createTaskTool(
  pool: SubagentPool,
  listAgents: () => string,
): Tool<TaskArguments, TaskData> {
  const tool: Tool<TaskArguments, TaskData> = defineTool({
    id: "task",
    description,
    parameters: {
      type: "object",
      properties: {
        subagent_type: { type: "string", minLength: 1, description: "Its name." },
        prompt: {
          type: "string",
          minLength: 1,
          pattern: "\\S",
          description: "The task with everything it needs to know.",
        },
        description: { type: "string", description: "A few words for the user." },
        background: {
          type: "boolean",
          description: "You continue and are notified when it ends. Default: false.",
        },
        isolation: {
          enum: ["layer", "none"],
          description:
            "`layer`: its own copy of the workspace, merged when it ends. Default: `layer` in the background if it may write, otherwise `none`.",
        },
      },
      required: ["subagent_type", "prompt"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        ...childProperties,
        task_id: { type: "string", description: "ID of the task." },
        status: { enum: ["running"], description: "The task runs in the background." },
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
    // Rules match the name of the agent. Subagents lock their resources themselves.
    execution: {
      resourceKeys: ({ subagent_type }) => [{ key: subagent_type, mode: "read", type: "name" }],
    },
    execute: (args, runtime) => runTask(args, runtime, pool),
  });
  return {
    ...tool,
    get description() {
      const list = listAgents();
      return list === "" ? description : `${description}\n\nSubagents:\n${list}`;
    },
  };
}

async function runTask(
  args: TaskArguments,
  runtime: Runtime,
  pool: SubagentPool,
): Promise<TaskData> {
  const manifest = findAgent(args.subagent_type, await pool.manifests());
  const { prompt, background = false } = args;
  const isolation = args.isolation ?? (background ? "auto" : "none");
  const child = await spawnChild({ manifest, prompt, isolation }, runtime, pool);
  if (background) return toBegun(pool.tasksOf(runtime.session.id).start(child), child.isolation);
  return requireAnswer(await child.run(runtime.signal));
}

function toBegun(
  { id, agent, thread }: BackgroundTask,
  isolation: BegunTask["isolation"],
): BegunTask {
  const applied = isolation === "layer" ? "Its changes reach the workspace when it ends. " : "";
  return {
    task_id: id,
    status: "running",
    agent,
    ...(thread !== undefined && { thread }),
    ...(isolation !== undefined && { isolation }),
    message: `${applied}You are notified when it ends. Continue with other work.`,
  };
}
