import type { DialectAlias } from "../dialect.ts";
import { leaveOut } from "../shared/given.ts";
import { countTodos, todoDescription, todoParameters } from "../shared/todos.ts";

/** `TodoWrite`: replaces the session's task list. */
export const todoWrite: DialectAlias = {
  name: "TodoWrite",
  tool: "todo",
  description: todoDescription,
  parameters: todoParameters({
    type: "object",
    properties: {
      content: { type: "string", minLength: 1, description: "What to do." },
      status: { enum: ["pending", "in_progress", "completed"] },
      activeForm: {
        type: "string",
        description: "The task in the present continuous, shown while it is in progress.",
      },
    },
    required: ["content", "status"],
  }),
  toArguments: ({ todos }) => ({
    todos: (todos as readonly GivenTodo[]).map(({ content, status, id }) =>
      leaveOut({ content, status, id: typeof id === "string" && id !== "" ? id : undefined }),
    ),
  }),
  toData: (data) => `The task list was updated: ${countTodos(data)}.`,
};

interface GivenTodo {
  readonly content: string;
  readonly status: string;
  readonly id?: unknown;
}
