import { ToolError } from "@haft/contract";
import type { BackgroundTask } from "./background-task.ts";
import type { BackgroundTasks } from "./background-tasks.ts";

const mostNamed = 20;

/** The task of this id; else a `ToolError` that names those there are. */
export function findTask(id: string, tasks: BackgroundTasks): BackgroundTask {
  const task = tasks.get(id);
  if (task !== undefined) return task;
  const known = tasks
    .list()
    .slice(-mostNamed)
    .map((one) => `${one.id} (${one.agent}, ${one.status})`);
  const list = known.length === 0 ? "This session has none." : `There are ${known.join(", ")}.`;
  throw new ToolError(
    "not-found",
    `There is no background task ${JSON.stringify(id)}. ${list} Tasks end with the program that began them.`,
  );
}
