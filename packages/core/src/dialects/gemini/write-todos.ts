import type { DialectAlias } from "../dialect.ts";
import { countTodos } from "../shared/todo-data.ts";
import { todoDescription, todoParameters } from "../shared/todo-list.ts";

/** `write_todos`: the session's list of tasks. */
export const writeTodos: DialectAlias = {
  name: "write_todos",
  tool: "todo",
  description: todoDescription,
  parameters: todoParameters({
    type: "object",
    properties: {
      description: { type: "string", minLength: 1, description: "What is to be done." },
      status: { enum: ["pending", "in_progress", "completed", "cancelled", "blocked"] },
    },
    required: ["description", "status"],
  }),
  toArguments: ({ todos }) => ({ todos: (todos as readonly GivenTodo[]).map(toTodo) }),
  toData: (data) => `The list of tasks is updated: ${countTodos(data)}.`,
};

interface GivenTodo {
  readonly description: string;
  readonly status: string;
}

// What is blocked has yet to be done, and must say so itself.
function toTodo({ description, status }: GivenTodo): { content: string; status: string } {
  if (status !== "blocked") return { content: description, status };
  return { content: `${description} (blocked)`, status: "pending" };
}
