import type { ObjectSchema } from "@haft/contract";

/** What families are told of the tool that keeps the list of tasks. */
export const todoDescription: string = [
  "Replaces this session's list of tasks. Use it for work of three steps or more, and keep it up to date.",
  "It only remembers: it does no task.",
].join(" ");

/** The parameters of a tool that replaces the list of tasks, which have this shape. */
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
