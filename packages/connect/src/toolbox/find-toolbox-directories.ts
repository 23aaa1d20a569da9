import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The directories that contain the default toolboxes. */
export interface ToolboxPaths {
  readonly workspace: string;
  readonly home: string;
}

/**
 * Returns the directories whose scripts are tools: those in `HAFT_TOOLBOX`, or the existing ones of
 * the workspace and the user.
 */
export function findToolboxDirectories(
  environment: Readonly<Record<string, string | undefined>>,
  paths: ToolboxPaths,
): readonly string[] {
  const named = readNamed(environment, paths);
  if (named.length > 0) return named;
  return [workspaceToolbox(paths.workspace), userToolbox(environment, paths.home)].filter((path) =>
    existsSync(path),
  );
}

/** Returns the directory for a new script: the first that is searched, or the user's own. */
export function chooseToolboxDirectory(
  environment: Readonly<Record<string, string | undefined>>,
  paths: ToolboxPaths & { readonly isForUser: boolean },
): string {
  if (paths.isForUser) return userToolbox(environment, paths.home);
  return readNamed(environment, paths)[0] ?? workspaceToolbox(paths.workspace);
}

function readNamed(
  { HAFT_TOOLBOX }: Readonly<Record<string, string | undefined>>,
  { workspace, home }: ToolboxPaths,
): readonly string[] {
  return (HAFT_TOOLBOX ?? "")
    .split(":")
    .filter((path) => path !== "")
    .map((path) => resolve(workspace, path.replace(/^~(?=\/|$)/u, home)));
}

function workspaceToolbox(workspace: string): string {
  return join(workspace, ".haft/toolbox");
}

function userToolbox(
  { XDG_CONFIG_HOME }: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  // The specification says to ignore a relative path.
  const base = XDG_CONFIG_HOME?.startsWith("/") ? XDG_CONFIG_HOME : join(home, ".config");
  return join(base, "haft/toolbox");
}
