import { join } from "node:path";
import { type McpClient, toCommandEntry } from "./client.ts";
import { tomlSettings } from "./toml-settings.ts";

/** Codex */
export const codex: McpClient = {
  id: "codex",
  title: "Codex",
  programs: ["codex"],
  usualScope: "user",
  format: tomlSettings,
  section: "mcp_servers",
  files: ({ scope, home, workspace, environment }) => [
    scope === "project"
      ? join(workspace, ".codex", "config.toml")
      : join(environment.CODEX_HOME || join(home, ".codex"), "config.toml"),
  ],
  // A command may take longer than the minute that Codex waits by itself.
  toEntry: (words) => ({ ...toCommandEntry(words), tool_timeout_sec: 600 }),
  addCommand: (name, words) => ["codex", "mcp", "add", name, "--", ...words],
  removeCommand: (name, scope) => (scope === "user" ? ["codex", "mcp", "remove", name] : undefined),
  remark: (scope) =>
    scope === "project" ? "Codex reads it only in projects that it was told to trust." : undefined,
};
