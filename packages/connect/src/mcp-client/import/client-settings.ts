import { join } from "node:path";
import { readSmallFile, readUntrustedFile } from "@haft/computer/internal";
import { isInside, isPlainObject } from "@haft/contract/internal";
import { parseCommentedJson } from "@haft/core/internal";

/** The directories in which programs keep settings. */
export interface SettingsPaths {
  readonly workspace: string;
  readonly home: string;
  /** The user's configuration directory, such as `~/.config`. */
  readonly config: string;
}

/** The files in which each program keeps its MCP servers, in order of precedence. */
export const clientSettings: Readonly<Record<string, (place: SettingsPaths) => readonly string[]>> =
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

/** Reads a settings file in JSON, JSON with comments or TOML. Returns `undefined` if it is missing. */
export async function readSettingsFile(path: string, workspace: string): Promise<unknown> {
  const isForeign = isInside(workspace, path);
  const text = isForeign ? readForeign(path, workspace) : readSmallFile(path);
  if (text === undefined) return undefined;
  if (path.endsWith(".toml")) return (await import("smol-toml")).parse(text);
  return liftProject(parseCommentedJson(text), workspace);
}

// A user's own settings may be links; files of a repository must not lead elsewhere.
function readForeign(path: string, workspace: string): string | undefined {
  const found = readUntrustedFile(path, { within: workspace, maxBytes: 16 * 1024 * 1024 });
  if (found.bytes !== undefined) return found.bytes.toString("utf8");
  if (found.isMissing) return undefined;
  throw new Error(`it ${found.fault}`);
}

// Claude Code keeps the servers of a project under `projects`.
function liftProject(settings: unknown, workspace: string): unknown {
  if (!isPlainObject(settings) || !isPlainObject(settings.projects)) return settings;
  const project = settings.projects[workspace];
  if (!isPlainObject(project) || !isPlainObject(project.mcpServers)) return settings;
  const general = isPlainObject(settings.mcpServers) ? settings.mcpServers : {};
  return { ...settings, mcpServers: { ...general, ...project.mcpServers } };
}
