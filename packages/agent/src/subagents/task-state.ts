import type { JsonSchema } from "@haft/contract";
import type { BackgroundTask, TaskStatus } from "./background-task.ts";
import { type ChildData, childProperties } from "./child-data.ts";

/** How far a task in the background is, and what came of it. */
export interface TaskState extends Partial<ChildData> {
  task_id: string;
  status: TaskStatus;
  agent: string;
}

/** What the data of the tools that show a task looks like. */
export const taskStateSchema: JsonSchema = {
  type: "object",
  properties: {
    task_id: { type: "string" },
    status: { enum: ["running", "done", "failed", "stopped"] },
    ...childProperties,
  },
  required: ["task_id", "status", "agent"],
  additionalProperties: false,
};

/** Shows a task. Once its end was shown, nobody need be told of it again. */
export function toTaskState(task: BackgroundTask): TaskState {
  const { id, status, agent, thread, data, error } = task;
  if (status !== "running") task.isTold = true;
  return {
    task_id: id,
    status,
    agent,
    ...(thread !== undefined && { thread }),
    ...data,
    ...(error !== undefined && { error }),
  };
}
