import { defineTool, type JsonValue, type Tool, ToolError } from "@haft/contract";
import {
  assignIds,
  priorities,
  readStored,
  statuses,
  type Todo,
  type TodoInput,
  type TodoStatus,
} from "./todo-list.ts";

/** The arguments of `todo`. */
export interface TodoArguments {
  todos?: TodoInput[];
}

/** The result of `todo`: the current list, and the number of tasks by status. */
export interface TodoData {
  todos: Todo[];
  summary: Record<TodoStatus, number>;
}

const stateKey = "todos";

/**
 * The `todo` tool: keeps the session's task list.
 *
 * @example
 * ```ts
 * import { builtinTools, todo } from "@haft/tools";
 *
 * const withoutTodo = builtinTools.filter((tool) => tool !== todo);
 * ```
 */
export const todo: Tool<TodoArguments, TodoData> = defineTool({
  id: "todo",
  description: [
    "Keeps this session's task list: todos replaces the whole list; without it, the list is returned.",
    "Use it for work of three or more steps, and update it when a step starts or ends.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      todos: {
        type: "array",
        maxItems: 200,
        description: "The todos.",
        items: {
          type: "object",
          properties: {
            content: { type: "string", minLength: 1 },
            status: { enum: statuses },
            priority: { enum: priorities },
            id: { type: "string", minLength: 1 },
          },
          required: ["content", "status"],
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      todos: {
        type: "array",
        items: {
          type: "object",
          properties: {
            content: { type: "string" },
            status: { enum: statuses },
            priority: { enum: priorities },
            id: { type: "string" },
          },
          required: ["content", "status", "id"],
        },
      },
      summary: {
        type: "object",
        properties: {
          pending: { type: "integer" },
          in_progress: { type: "integer" },
          completed: { type: "integer" },
          cancelled: { type: "integer" },
        },
        required: statuses,
      },
    },
    required: ["todos", "summary"],
  },
  requires: {},
  kind: "other",
  source: "builtin",
  execution: {
    resourceKeys: ({ todos }) => [
      { key: stateKey, mode: todos === undefined ? "read" : "write", type: "name" },
    ],
  },
  execute: async (args, { session, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was changed.");
    if (args.todos === undefined) return toData(readStored(await session.state.get(stateKey)));
    const todos = assignIds(args.todos);
    await session.state.set(stateKey, todos as unknown as JsonValue);
    return toData(todos);
  },
});

function toData(todos: Todo[]): TodoData {
  const summary = { pending: 0, in_progress: 0, completed: 0, cancelled: 0 };
  for (const { status } of todos) summary[status]++;
  return { todos, summary };
}
