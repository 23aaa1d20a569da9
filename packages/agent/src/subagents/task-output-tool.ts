import { defineTool, type Tool, ToolError } from "@haft/contract";
import { untilAborted } from "@haft/core";
import type { BackgroundTasks } from "./background-tasks.ts";
import { childOutput } from "./child-data.ts";
import type { Crew } from "./crew.ts";
import { findTask } from "./find-task.ts";
import { type TaskState, taskStateSchema, toTaskState } from "./task-state.ts";

/** The arguments of `task_output`. */
export interface TaskOutputArguments {
  task_id: string;
  wait?: boolean;
}

/** Shows how far a task in the background is. */
export function createTaskOutputTool(crew: Crew): Tool<TaskOutputArguments, TaskState> {
  return defineTool({
    id: "task_output",
    description: [
      "Shows how far a task in the background is, and its answer if it has ended.",
      "You are told of the end by yourself: use it with wait where you can't go on without the answer, or to see an answer again.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        task_id: { type: "string", minLength: 1, description: "As task told it." },
        wait: { type: "boolean", description: "Wait until it has ended; false if left out." },
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
      const tasks: BackgroundTasks = crew.tasksOf(session.id);
      const task = findTask(task_id, tasks);
      if (wait) {
        await untilAborted({ signal }, task.ended).catch(() => {
          throw new ToolError("cancelled", `No longer waits for ${task_id}, which goes on.`);
        });
      }
      return toTaskState(task);
    },
  });
}
