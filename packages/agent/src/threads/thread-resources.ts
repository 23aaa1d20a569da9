import type { ResourceKey } from "@haft/contract";

/** Resource name for rules: the threads of the session's own workspace. */
export const ofThisWorkspace: ResourceKey = { type: "name", key: "this-workspace", mode: "read" };

/** Resource name for rules: the threads of all workspaces. They contain content of other projects, so the user is asked. */
export const ofAllWorkspaces: ResourceKey = { type: "name", key: "all-workspaces", mode: "read" };

/** Resource name for rules: a thread of another workspace, whether it exists or not. */
export function ofOtherWorkspace(id: string): ResourceKey {
  return { type: "name", key: `workspace:${id}`, mode: "read" };
}
