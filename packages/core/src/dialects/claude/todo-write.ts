import type { DialectAlias } from "../dialect.ts";
import { leaveOut } from "../shared/given.ts";
import { countTodos } from "../shared/todo-data.ts";
import { todoDescription, todoParameters } from "../shared/todo-list.ts";

/** `TodoWrite`: the session's list of tasks. */
export const todoWrite: DialectAlias = {
  name: "TodoWrite",
  tool: "todo",
  description: todoDescription,
  parameters: todoParameters({
    type: "object",
    properties: {
      content: { type: "string", minLength: 1, description: "What is to be done." },
      status: { enum: ["pending", "in_progress", "completed"] },
      activeForm: { type: "string", description: "The same while it is being done." },
    },
    required: ["content", "status"],
  }),
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
