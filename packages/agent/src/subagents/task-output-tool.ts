import { defineTool, type Tool, ToolError } from "@haft/contract";
import { untilAborted } from "@haft/core/internal";
import type { BackgroundTasks } from "./background-tasks.ts";
import { childOutput } from "./child-data.ts";
import { findTask } from "./find-task.ts";
import type { SubagentPool } from "./subagent-pool.ts";
import { type TaskState, taskStateSchema, toTaskState } from "./task-state.ts";

/** Arguments of `task_output`. */
export interface TaskOutputArguments {
  task_id: string;
  wait?: boolean;
}

/** Creates the tool that shows the state of a background task. */
export function createTaskOutputTool(pool: SubagentPool): Tool<TaskOutputArguments, TaskState> {
  return defineTool({
    id: "task_output",
    description: [
      "Shows the status of a background task, and its answer if it has ended.",
      "You are notified when a task ends. Use this if you can't continue without the answer, or to see it again.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        task_id: {
          type: "string",
          minLength: 1,
          description: "The `task_id` that `task` returned.",
        },
        wait: {
          type: "boolean",
          description: "Until it has ended. Default: false.",
        },
      },
      required: ["task_id"],
      additionalProperties: false,
    },
    output: taskStateSchema,
    requires: {},
    kind: "other",
    source: "builtin",
    timeoutMs: "none",
    maxOutput: childOutput,
    execution: { resourceKeys: () => [] },
    execute: async ({ task_id, wait }, { session, signal }) => {
      const tasks: BackgroundTasks = pool.tasksOf(session.id);
      const task = findTask(task_id, tasks);
      if (wait) {
        await untilAborted({ signal }, task.ended).catch(() => {
          throw new ToolError(
            "cancelled",
            `Stopped waiting for ${task_id}. The task is still running.`,
          );
        });
      }
      return toTaskState(task);
    },
  });
}
