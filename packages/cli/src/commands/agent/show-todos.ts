import type { Style } from "../../terminal/style.ts";
import { clipLine } from "./clip-line.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxShown = 30;
const maxLineLength = 120;

/** Formats a task list with the state of each task; `undefined` if the data has none. */
export function showTodos(data: Fields, style: Style): string[] | undefined {
  if (!Array.isArray(data.todos)) return undefined;
  const todos = data.todos as readonly Fields[];
  if (todos.length === 0) return [style.dim("no tasks")];
  const shown = todos.slice(0, maxShown).map((todo) => showTodo(todo, style));
  const left = todos.length - shown.length;
  return left === 0 ? shown : [...shown, style.dim(`… ${left} more tasks`)];
}

function showTodo({ content, status }: Fields, style: Style): string {
  const text = clipLine(String(content), maxLineLength);
  switch (status) {
    case "completed":
      return style.dim(`[x] ${text}`);
    case "in_progress":
      return style.bold(`[>] ${text}`);
    case "cancelled":
      return style.dim(`[-] ${text}`);
    default:
      return `[ ] ${text}`;
  }
}
