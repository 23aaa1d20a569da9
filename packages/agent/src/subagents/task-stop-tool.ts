import { defineTool, type Tool } from "@haft/contract";
import { childOutput } from "./child-data.ts";
import type { Crew } from "./crew.ts";
import { findTask } from "./find-task.ts";
import { type TaskState, taskStateSchema, toTaskState } from "./task-state.ts";

/** The arguments of `task_stop`. */
export interface TaskStopArguments {
  task_id: string;
}

/** Stops a task in the background. */
export function createTaskStopTool(crew: Crew): Tool<TaskStopArguments, TaskState> {
  return defineTool({
    id: "task_stop",
    description:
      "Stops a task in the background, with everything that it has running, and shows what it had said. What it changed stays; undo_edit takes it back. One that has ended stays as it is.",
    parameters: {
      type: "object",
      properties: { task_id: { type: "string", minLength: 1, description: "As task told it." } },
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
      const task = findTask(task_id, crew.tasksOf(session.id));
      task.stop();
      await task.ended;
      return toTaskState(task);
    },
  });
}
