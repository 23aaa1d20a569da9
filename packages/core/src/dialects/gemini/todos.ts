import type { DialectAlias } from "../dialect.ts";
import { countTodos, todoDescription, todoParameters } from "../shared/todos.ts";

/** `write_todos`: replaces the session's task list. */
export const writeTodos: DialectAlias = {
  name: "write_todos",
  tool: "todo",
  description: todoDescription,
  parameters: todoParameters({
    type: "object",
    properties: {
      description: { type: "string", minLength: 1, description: "What to do." },
      status: { enum: ["pending", "in_progress", "completed", "cancelled", "blocked"] },
    },
    required: ["description", "status"],
  }),
  toArguments: ({ todos }) => ({ todos: (todos as readonly GivenTodo[]).map(toTodo) }),
  toData: (data) => `The task list was updated: ${countTodos(data)}.`,
};

interface GivenTodo {
  readonly description: string;
  readonly status: string;
}

// The native tool has no status "blocked", so the text says it.
function toTodo({ description, status }: GivenTodo): { content: string; status: string } {
  if (status !== "blocked") return { content: description, status };
  return { content: `${description} (blocked)`, status: "pending" };
}
