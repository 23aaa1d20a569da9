import { join } from "node:path";
import { toWorkspaceId } from "@haft/computer/internal";

/** Returns the directory with a workspace's MCP servers, below the state directory. */
export function locateMcpStore(stateDirectory: string, workspace: string): string {
  return join(stateDirectory, "mcp", toWorkspaceId(workspace));
}
