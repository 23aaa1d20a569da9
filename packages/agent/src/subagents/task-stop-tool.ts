import { defineTool, type Tool } from "@haft/contract";
import { childOutput } from "./child-data.ts";
import { findTask } from "./find-task.ts";
import type { SubagentPool } from "./subagent-pool.ts";
import { type TaskState, taskStateSchema, toTaskState } from "./task-state.ts";

/** Arguments of `task_stop`. */
export interface TaskStopArguments {
  task_id: string;
}

/** Creates the tool that stops a background task. */
export function createTaskStopTool(pool: SubagentPool): Tool<TaskStopArguments, TaskState> {
  return defineTool({
    id: "task_stop",
    description:
      "Stops a background task and everything it runs, and returns what it has said so far. Its changes stay. `undo_edit` undoes them.",
    parameters: {
      type: "object",
      properties: {
        task_id: {
          type: "string",
          minLength: 1,
          description: "The `task_id` that `task` returned.",
        },
      },
      required: ["task_id"],
      additionalProperties: false,
    },
    output: taskStateSchema,
    requires: {},
    kind: "other",
    source: "builtin",
    maxOutput: childOutput,
    execution: { resourceKeys: () => [] },
    execute: async ({ task_id }, { session }) => {
      const task = findTask(task_id, pool.tasksOf(session.id));
      task.stop();
      await task.ended;
      return toTaskState(task);
    },
  });
}
