import type { ThreadSummary } from "@haft/agent";
import type { AgentWorkspace } from "../../agents/open-agents.ts";

const maxInspected = 200;

/** Returns the threads of a workspace without those of subagents, last used first. */
export function listOwnThreads({
  threads,
  root,
}: Pick<AgentWorkspace, "threads" | "root">): ThreadSummary[] {
  const found = threads.list({ workspace: root, limit: maxInspected });
  return found.filter((thread) => !isSubagents(thread));
}

// A fork has a parent too, but a name of its own.
function isSubagents({ name, parent }: ThreadSummary): boolean {
  if (parent === undefined) return false;
  const parentName = parent.slice(parent.lastIndexOf("/") + 1);
  return name.startsWith(`${parentName.slice(0, 40)}.`);
}
