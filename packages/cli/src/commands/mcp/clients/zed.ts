import { join } from "node:path";
import { type McpClient, toCommandEntry } from "./client.ts";
import { jsonSettings } from "./json-settings.ts";

/** Zed */
export const zed: McpClient = {
  id: "zed",
  title: "Zed",
  programs: ["zed", "zeditor"],
  usualScope: "user",
  format: jsonSettings,
  section: "context_servers",
  files: ({ scope, home, workspace, environment }) => [
    scope === "project"
      ? join(workspace, ".zed", "settings.json")
      : join(environment.XDG_CONFIG_HOME || join(home, ".config"), "zed", "settings.json"),
  ],
  toEntry: toCommandEntry,
};
