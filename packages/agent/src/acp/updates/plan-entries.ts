import type { PlanEntry } from "@agentclientprotocol/sdk";
import type { ToolResult } from "@haft/contract";

/** The list of a `todo` call as a client's plan; `undefined` if the result is none. */
export function toPlanEntries(result: ToolResult): PlanEntry[] | undefined {
  if (result.type !== "output") return undefined;
  const { todos } = (result.data ?? {}) as { readonly todos?: unknown };
  if (!Array.isArray(todos)) return undefined;
  return todos.flatMap(({ content, status, priority }: Record<string, unknown>): PlanEntry[] => {
    const shown = statuses.find((one) => one === status);
    // A plan has no place for what was given up.
    if (typeof content !== "string" || shown === undefined) return [];
    const weight = priorities.find((one) => one === priority) ?? "medium";
    return [{ content, status: shown, priority: weight }];
  });
}

const statuses = ["pending", "in_progress", "completed"] as const;
const priorities = ["high", "medium", "low"] as const;
