import type { DialectAlias } from "../dialect.ts";
import { leaveOut } from "../shared/given.ts";
import { countTodos } from "../shared/todo-data.ts";

/** `TodoWrite`: the session's list of tasks. */
export const todoWrite: DialectAlias = {
  name: "TodoWrite",
  tool: "todo",
  description: [
    "Replaces this session's list of tasks. Use it for work of three steps or more, and keep it up to date.",
    "It only remembers: it does no task.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      todos: {
        type: "array",
        maxItems: 200,
        description: "The whole list, in order.",
        items: {
          type: "object",
          properties: {
            content: { type: "string", minLength: 1, description: "What is to be done." },
            status: { enum: ["pending", "in_progress", "completed"] },
            activeForm: { type: "string", description: "The same while it is being done." },
          },
          required: ["content", "status"],
        },
      },
    },
    required: ["todos"],
  },
  toArguments: ({ todos }) => ({
    todos: (todos as readonly GivenTodo[]).map(({ content, status, id }) =>
      leaveOut({ content, status, id: typeof id === "string" && id !== "" ? id : undefined }),
    ),
  }),
  toData: (data) => `The list of tasks is updated: ${countTodos(data)}.`,
};

interface GivenTodo {
  readonly content: string;
  readonly status: string;
  readonly id?: unknown;
}
