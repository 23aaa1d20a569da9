import { join } from "node:path";
import { type McpClient, toCommandEntry } from "./client.ts";
import { jsonSettings } from "./json-settings.ts";

/** Cursor */
export const cursor: McpClient = {
  id: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  // Only of a project's file does Cursor promise to know which folder is meant.
  usualScope: "project",
  format: jsonSettings,
  section: "mcpServers",
  files: ({ scope, home, workspace }) => [
    join(scope === "project" ? workspace : home, ".cursor", "mcp.json"),
  ],
  toEntry: toCommandEntry,
  // It starts servers wherever it was started itself.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in.
  workspaceWords: ["-C", "${workspaceFolder}"],
  expands: /\$\{/u,
  remark: () => "Cursor lists it under Settings, MCP, where it may have to be switched on.",
};
