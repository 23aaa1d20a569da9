import { join } from "node:path";
import { type McpClient, toCommandEntry } from "./client.ts";
import { jsonSettings } from "./json-settings.ts";

/** Gemini CLI */
export const gemini: McpClient = {
  id: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  usualScope: "user",
  format: jsonSettings,
  section: "mcpServers",
  files: ({ scope, home, workspace, environment }) => [
    join(
      scope === "project" ? workspace : environment.GEMINI_CLI_HOME || home,
      ".gemini",
      "settings.json",
    ),
  ],
  toEntry: toCommandEntry,
  expands: /\$[\w{]/u,
  removeCommand: (name, scope) => ["gemini", "mcp", "remove", "--scope", scope, name],
  remark: () => "Gemini CLI starts servers only in folders that it was told to trust.",
};
