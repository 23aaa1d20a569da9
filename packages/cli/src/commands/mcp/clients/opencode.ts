import { join } from "node:path";
import type { McpClient } from "./client.ts";
import { jsonSettings } from "./json-settings.ts";

/** opencode */
export const opencode: McpClient = {
  id: "opencode",
  title: "opencode",
  programs: ["opencode"],
  usualScope: "user",
  format: jsonSettings,
  section: "mcp",
  files: ({ scope, home, workspace, environment }) => {
    const folder =
      scope === "project"
        ? workspace
        : join(environment.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
    return [join(folder, "opencode.jsonc"), join(folder, "opencode.json")];
  },
  // A command may be silent for longer than the seconds that opencode waits by itself.
  toEntry: (words) => ({ type: "local", command: [...words], timeout: 600_000 }),
  expands: /\{(?:env|file):/u,
};
