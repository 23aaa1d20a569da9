import { hash } from "node:crypto";
import { basename, join } from "node:path";

/** Where the servers of a workspace are kept, below the state directory. */
export function locateMcpStore(stateDirectory: string, workspace: string): string {
  const slug = basename(workspace)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "")
    .slice(0, 32);
  const name = `${slug === "" ? "workspace" : slug}-${hash("sha256", workspace).slice(0, 8)}`;
  return join(stateDirectory, "mcp", name);
}
