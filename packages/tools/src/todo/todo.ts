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

/** The list as it is now, and how many tasks are how far. */
export interface TodoData {
  todos: Todo[];
  summary: Record<TodoStatus, number>;
}

const stateKey = "todos";

/** Keeps the session's list of tasks. */
export const todo: Tool<TodoArguments, TodoData> = defineTool({
  id: "todo",
  description: [
    "Keeps the list of tasks of this session: with todos it replaces the whole list, without it shows the list.",
    "Use it for work of three steps or more, and update it as soon as a step is begun or done.",
    "It only remembers: it does no task, and writes no file.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      todos: {
        type: "array",
        maxItems: 200,
        description: "The whole list, in order; what is not in it is forgotten.",
        items: {
          type: "object",
          properties: {
            content: { type: "string", minLength: 1, description: "What is to be done." },
            status: { enum: statuses, description: "How far it is." },
            priority: { enum: priorities, description: "How much it matters." },
            id: { type: "string", minLength: 1, description: "Stays the same from list to list." },
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
    if (signal.aborted) throw new ToolError("cancelled", "Changed nothing: aborted.");
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
