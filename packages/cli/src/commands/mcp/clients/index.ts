import { join } from "node:path";
import { type McpClient, toCommandEntry } from "./client.ts";
import { jsonSettings } from "./json-settings.ts";
import { tomlSettings } from "./toml-settings.ts";

/** A header with a token that the client fills in. */
function bearer(token: string): { readonly headers: { readonly Authorization: string } } {
  return { headers: { Authorization: `Bearer ${token}` } };
}

/** Claude Code */
const claude: McpClient = {
  id: "claude",
  title: "Claude Code",
  dialect: "claude",
  ownToolsOff:
    'Add to ~/.claude/settings.json, or .claude/settings.json of the project: "permissions": {"deny": ["Read", "Edit", "Write", "NotebookEdit", "Glob", "Grep", "Bash"]}',
  programs: ["claude"],
  // Claude Code asks before it starts servers of a project's file.
  usualScope: "user",
  format: jsonSettings,
  section: "mcpServers",
  files: ({ scope, home, workspace, environment }) => [
    scope === "project"
      ? join(workspace, ".mcp.json")
      : join(environment.CLAUDE_CONFIG_DIR || home, ".claude.json"),
  ],
  toEntry: (words) => ({ type: "stdio", ...toCommandEntry(words) }),
  toRemoteEntry: (url, variable) => ({ type: "http", url, ...bearer(`\${${variable}}`) }),
  expands: /\$\{/u,
  addCommand: (name, words, scope) => [
    ...["claude", "mcp", "add", "--scope", scope, name, "--"],
    ...words,
  ],
  removeCommand: (name, scope) => ["claude", "mcp", "remove", "--scope", scope, name],
  remark: (scope) =>
    scope === "project"
      ? "Claude Code asks once per project whether to start the servers in its .mcp.json."
      : undefined,
};

/** Codex */
const codex: McpClient = {
  id: "codex",
  title: "Codex",
  dialect: "codex",
  ownToolsOff:
    "Add to ~/.codex/config.toml the table [features] with shell_tool = false. There is no setting for its apply_patch",
  programs: ["codex"],
  usualScope: "user",
  format: tomlSettings,
  section: "mcp_servers",
  files: ({ scope, home, workspace, environment }) => [
    scope === "project"
      ? join(workspace, ".codex", "config.toml")
      : join(environment.CODEX_HOME || join(home, ".codex"), "config.toml"),
  ],
  // A command may take longer than Codex's default of one minute.
  toEntry: (words) => ({ ...toCommandEntry(words), tool_timeout_sec: 600 }),
  toRemoteEntry: (url, variable) => ({
    url,
    bearer_token_env_var: variable,
    tool_timeout_sec: 600,
  }),
  addCommand: (name, words) => ["codex", "mcp", "add", name, "--", ...words],
  removeCommand: (name, scope) => (scope === "user" ? ["codex", "mcp", "remove", name] : undefined),
  remark: (scope) => (scope === "project" ? "Codex reads it only in trusted projects." : undefined),
};

/** Gemini CLI */
const gemini: McpClient = {
  id: "gemini",
  title: "Gemini CLI",
  dialect: "gemini",
  ownToolsOff:
    'Add to ~/.gemini/settings.json: "tools": {"core": ["web_fetch", "google_web_search", "write_todos", "enter_plan_mode", "activate_skill", "invoke_agent", "mcp_*"]}',
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
  toRemoteEntry: (url, variable) => ({ httpUrl: url, ...bearer(`$${variable}`) }),
  expands: /\$[\w{]/u,
  removeCommand: (name, scope) => ["gemini", "mcp", "remove", "--scope", scope, name],
  remark: () => "Gemini CLI starts servers only in trusted folders.",
};

/** opencode */
const opencode: McpClient = {
  id: "opencode",
  title: "opencode",
  ownToolsOff:
    'Add to opencode.json: "permission": {"read": "deny", "edit": "deny", "glob": "deny", "grep": "deny", "list": "deny", "bash": "deny"}',
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
  // A command may be silent for longer than opencode's default timeout.
  toEntry: (words) => ({ type: "local", command: [...words], timeout: 600_000 }),
  toRemoteEntry: (url, variable) => ({
    type: "remote",
    url,
    ...bearer(`{env:${variable}}`),
    timeout: 600_000,
  }),
  expands: /\{(?:env|file):/u,
};

/** Cursor */
const cursor: McpClient = {
  id: "cursor",
  title: "Cursor",
  ownToolsOff:
    'For its command line, add to ~/.cursor/cli-config.json: "permissions": {"allow": [], "deny": ["Read(**)", "Write(**)", "Shell(**)"]}. The editor has no setting for it',
  programs: ["cursor", "cursor-agent"],
  // Cursor guarantees the folder only for a project's file.
  usualScope: "project",
  format: jsonSettings,
  section: "mcpServers",
  files: ({ scope, home, workspace }) => [
    join(scope === "project" ? workspace : home, ".cursor", "mcp.json"),
  ],
  toEntry: toCommandEntry,
  toRemoteEntry: (url, variable) => ({ url, ...bearer(`\${env:${variable}}`) }),
  // Cursor starts servers in its own working directory.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in.
  workspaceVariable: "${workspaceFolder}",
  expands: /\$\{/u,
  remark: () => "Cursor lists it under Settings, MCP, where you may have to enable it.",
};

/** Zed */
const zed: McpClient = {
  id: "zed",
  title: "Zed",
  ownToolsOff:
    'Add to settings.json: "agent": {"default_profile": "haft", "profiles": {"haft": {"name": "Haft", "tools": {}, "enable_all_context_servers": true}}}',
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

/** VS Code */
const vscode: McpClient = {
  id: "vscode",
  title: "VS Code",
  ownToolsOff:
    "In the Chat view choose Configure Tools and clear the built-in tools. For a custom agent, set tools: ['haft/*'] in its .agent.md file",
  programs: ["code", "code-insiders"],
  // A project's file can name the folder.
  usualScope: "project",
  format: jsonSettings,
  section: "servers",
  files: ({ scope, home, workspace, environment }) => [
    scope === "project"
      ? join(workspace, ".vscode", "mcp.json")
      : process.platform === "darwin"
        ? join(home, "Library", "Application Support", "Code", "User", "mcp.json")
        : join(environment.XDG_CONFIG_HOME || join(home, ".config"), "Code", "User", "mcp.json"),
  ],
  toEntry: (words) => ({ type: "stdio", ...toCommandEntry(words) }),
  toRemoteEntry: (url, variable) => ({ type: "http", url, ...bearer(`\${env:${variable}}`) }),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
  workspaceVariable: "${workspaceFolder}",
  expands: /\$\{/u,
  remark: () => "VS Code asks whether you trust the server when it first starts it.",
};

/** Windsurf */
const windsurf: McpClient = {
  id: "windsurf",
  title: "Windsurf",
  ownToolsOff: "Windsurf has no setting for it: ask for Haft's tools in a rule, in .windsurfrules",
  programs: ["windsurf"],
  usualScope: "user",
  format: jsonSettings,
  section: "mcpServers",
  files: ({ scope, home }) =>
    scope === "project" ? [] : [join(home, ".codeium", "windsurf", "mcp_config.json")],
  toEntry: toCommandEntry,
  toRemoteEntry: (url, variable) => ({ serverUrl: url, ...bearer(`\${env:${variable}}`) }),
  isPlaceless: true,
  expands: /\$\{/u,
  remark: () => "Windsurf lists it under MCP servers in Cascade, after a refresh.",
};

/** Every client whose settings Haft can write. */
export const mcpClients: readonly McpClient[] = [
  ...[claude, codex, gemini, opencode, cursor, zed],
  ...[vscode, windsurf],
];
