import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCommentedJson } from "@haft/core";

/** Where a program's settings may be. */
export interface SettingsPlace {
  readonly workspace: string;
  readonly home: string;
  /** Where programs keep their settings; `~/.config` unless the environment says otherwise. */
  readonly config: string;
}

/** The files in which each program keeps its MCP servers, those first that go before the others. */
export const clientSettings: Readonly<Record<string, (place: SettingsPlace) => readonly string[]>> =
  {
    claude: ({ workspace, home }) => [join(workspace, ".mcp.json"), join(home, ".claude.json")],
    cursor: ({ workspace, home }) => [
      join(workspace, ".cursor", "mcp.json"),
      join(home, ".cursor", "mcp.json"),
    ],
    codex: ({ workspace, home }) => [
      join(workspace, ".codex", "config.toml"),
      join(home, ".codex", "config.toml"),
    ],
    gemini: ({ workspace, home }) => [
      join(workspace, ".gemini", "settings.json"),
      join(home, ".gemini", "settings.json"),
    ],
    opencode: ({ workspace, config }) => [
      join(workspace, "opencode.json"),
      join(workspace, "opencode.jsonc"),
      join(config, "opencode", "opencode.json"),
      join(config, "opencode", "opencode.jsonc"),
    ],
    vscode: ({ workspace, config }) => [
      join(workspace, ".vscode", "mcp.json"),
      join(config, "Code", "User", "mcp.json"),
    ],
    zed: ({ workspace, config }) => [
      join(workspace, ".zed", "settings.json"),
      join(config, "zed", "settings.json"),
    ],
  };

/** Reads a settings file, whichever of the forms in use it has; `undefined` if it is not there. */
export async function readSettingsFile(path: string, workspace: string): Promise<unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
  if (path.endsWith(".toml")) return (await import("smol-toml")).parse(text);
  return liftProject(parseCommentedJson(text), workspace);
}

// Claude Code keeps the servers of each project beside those of all.
function liftProject(settings: unknown, workspace: string): unknown {
  if (!isRecord(settings) || !isRecord(settings.projects)) return settings;
  const project = settings.projects[workspace];
  if (!isRecord(project) || !isRecord(project.mcpServers)) return settings;
  const general = isRecord(settings.mcpServers) ? settings.mcpServers : {};
  return { ...settings, mcpServers: { ...general, ...project.mcpServers } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
