import type { ObjectSchema } from "@haft/contract";

/** The description of the task list tool in all families. */
export const todoDescription: string = [
  "Replaces this session's task list. Use it for work of three steps or more, and keep it up to date.",
  "It only records the tasks and does not carry them out.",
].join(" ");

/** Returns the parameters of a tool that replaces the task list, for a schema of tasks. */
export function todoParameters(task: ObjectSchema): ObjectSchema {
  return {
    type: "object",
    properties: {
      todos: {
        type: "array",
        maxItems: 200,
        description: "The whole list, in order.",
        items: task,
      },
    },
    required: ["todos"],
  };
}

/** Summarises a task list, such as `1 completed, 2 pending`. */
export function countTodos(data: unknown): string {
  const { summary } = data as { readonly summary: Readonly<Record<string, number>> };
  const counts = Object.entries(summary)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`);
  return counts.length === 0 ? "it is empty" : counts.reverse().join(", ");
}
