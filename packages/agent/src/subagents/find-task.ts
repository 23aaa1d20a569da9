import { ToolError } from "@haft/contract";
import type { BackgroundTask } from "./background-task.ts";
import type { BackgroundTasks } from "./background-tasks.ts";

const maxNamed = 20;

/** Returns the task of this ID. Throws a `ToolError` that lists the tasks if there is none. */
export function findTask(id: string, tasks: BackgroundTasks): BackgroundTask {
  const task = tasks.get(id);
  if (task !== undefined) return task;
  const known = tasks
    .list()
    .slice(-maxNamed)
    .map((one) => `${one.id} (${one.agent}, ${one.status})`);
  const list = known.length === 0 ? "This session has no tasks." : `Tasks: ${known.join(", ")}.`;
  throw new ToolError(
    "not-found",
    `There is no background task ${JSON.stringify(id)}. ${list} Tasks end with the process that started them.`,
  );
}
