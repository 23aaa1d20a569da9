import type { ThreadSummary } from "@haft/agent";
import type { AgentSource } from "./running-agent.ts";

const mostLooked = 200;

/** The threads of a workspace that a person began, the last used first; subagents' are left out. */
export function listOwnThreads({
  threads,
  root,
}: Pick<AgentSource, "threads" | "root">): ThreadSummary[] {
  const found = threads.list({ workspace: root, limit: mostLooked });
  return found.filter((thread) => !isSubagents(thread));
}

// A fork has a parent too, but a name of its own.
function isSubagents({ name, parent }: ThreadSummary): boolean {
  if (parent === undefined) return false;
  const parentName = parent.slice(parent.lastIndexOf("/") + 1);
  return name.startsWith(`${parentName.slice(0, 40)}.`);
}
