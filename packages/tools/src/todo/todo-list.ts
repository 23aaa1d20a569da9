import { type JsonValue, ToolError } from "@haft/contract";

/** How far a task is. */
export type TodoStatus = "pending" | "in_progress" | "completed" | "cancelled";

/** How much a task matters. */
export type TodoPriority = "high" | "medium" | "low";

/** A task as it is given: the id may be left to us. */
export interface TodoInput {
  content: string;
  status: TodoStatus;
  priority?: TodoPriority;
  id?: string;
}

/** A task as it is kept. */
export interface Todo extends TodoInput {
  id: string;
}

/** The statuses, in the order in which a task goes through them. */
export const statuses = ["pending", "in_progress", "completed", "cancelled"] as const;

/** The priorities, the most urgent first. */
export const priorities = ["high", "medium", "low"] as const;

/** Gives every task that has no id the lowest number that no other task has. */
export function assignIds(inputs: readonly TodoInput[]): Todo[] {
  const taken = new Set<string>();
  for (const { id } of inputs) {
    if (id === undefined) continue;
    if (taken.has(id)) {
      throw new ToolError("invalid-arguments", `Two todos have the id ${JSON.stringify(id)}.`);
    }
    taken.add(id);
  }
  let number = 1;
  return inputs.map((input) => {
    if (input.id !== undefined) return { ...input, id: input.id };
    while (taken.has(String(number))) number++;
    return { ...input, id: String(number++) };
  });
}

/** Reads a stored list; one that is damaged counts as empty, because a session must go on. */
export function readStored(stored: JsonValue | undefined): Todo[] {
  return Array.isArray(stored) && stored.every(isTodo) ? stored : [];
}

function isTodo(value: unknown): value is Todo {
  if (typeof value !== "object" || value === null) return false;
  const { id, content, status, priority } = value as Record<string, unknown>;
  return (
    typeof id === "string" &&
    typeof content === "string" &&
    statuses.includes(status as TodoStatus) &&
    (priority === undefined || priorities.includes(priority as TodoPriority))
  );
}
