// For Haft's own packages. Unsupported: it changes without notice.
export { createWorkspaceAgents } from "./create-workspace-agents.ts";
export { listUntrustedFiles, type ProjectPaths } from "./list-untrusted-files.ts";
export type {
  AgentSessionOptions,
  ConversationPosition,
  StartOptions,
  WorkspaceAgents,
  WorkspaceAgentsOptions,
} from "./workspace-agents.ts";
