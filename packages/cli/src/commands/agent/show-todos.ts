import type { Style } from "../../terminal/style.ts";
import { clipLine } from "./clip-line.ts";

type Fields = Readonly<Record<string, unknown>>;

const mostShown = 30;
const longestLine = 120;

/** A list of tasks, each with how far it is; `undefined` if the data holds none. */
export function showTodos(data: Fields, style: Style): string[] | undefined {
  if (!Array.isArray(data.todos)) return undefined;
  const todos = data.todos as readonly Fields[];
  if (todos.length === 0) return [style.dim("no tasks")];
  const shown = todos.slice(0, mostShown).map((todo) => showTodo(todo, style));
  const left = todos.length - shown.length;
  return left === 0 ? shown : [...shown, style.dim(`… ${left} more tasks`)];
}

function showTodo({ content, status }: Fields, style: Style): string {
  const text = clipLine(String(content), longestLine);
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
