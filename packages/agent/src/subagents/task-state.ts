import type { JsonSchema } from "@haft/contract";
import type { BackgroundTask, TaskStatus } from "./background-task.ts";
import { type ChildData, childProperties } from "./child-data.ts";

/** Status and outcome of a background task. */
export interface TaskState extends Partial<ChildData> {
  task_id: string;
  status: TaskStatus;
  agent: string;
}

/** Output schema of the tools that show a task. */
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

/** Returns the state of a task. If it has ended, the model needs no notice of it any more. */
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
