import { join } from "node:path";
import { type McpClient, toCommandEntry } from "./client.ts";
import { jsonSettings } from "./json-settings.ts";

/** Claude Code */
export const claude: McpClient = {
  id: "claude",
  title: "Claude Code",
  programs: ["claude"],
  // Servers of a project's file wait there until somebody has agreed to them.
  usualScope: "user",
  format: jsonSettings,
  section: "mcpServers",
  files: ({ scope, home, workspace, environment }) => [
    scope === "project"
      ? join(workspace, ".mcp.json")
      : join(environment.CLAUDE_CONFIG_DIR || home, ".claude.json"),
  ],
  toEntry: (words) => ({ type: "stdio", ...toCommandEntry(words) }),
  expands: /\$\{/u,
  addCommand: (name, words, scope) => [
    ...["claude", "mcp", "add", "--scope", scope, name, "--"],
    ...words,
  ],
  removeCommand: (name, scope) => ["claude", "mcp", "remove", "--scope", scope, name],
  remark: (scope) =>
    scope === "project"
      ? "Claude Code asks once in each project whether to start the servers of its .mcp.json."
      : undefined,
};
