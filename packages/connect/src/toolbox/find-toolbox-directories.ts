import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where scripts may lie that nobody named a directory for. */
export interface ToolboxPlace {
  readonly workspace: string;
  readonly home: string;
}

/**
 * The directories whose scripts are tools: those that `HAFT_TOOLBOX` names, else the workspace's and
 * the user's, as far as they exist.
 */
export function findToolboxDirectories(
  environment: Readonly<Record<string, string | undefined>>,
  place: ToolboxPlace,
): readonly string[] {
  const named = readNamed(environment, place);
  if (named.length > 0) return named;
  return [workspaceToolbox(place.workspace), userToolbox(environment, place.home)].filter((path) =>
    existsSync(path),
  );
}

/** The directory for a new script: the first that is looked through, or the user's own. */
export function chooseToolboxDirectory(
  environment: Readonly<Record<string, string | undefined>>,
  place: ToolboxPlace & { readonly isForUser: boolean },
): string {
  if (place.isForUser) return userToolbox(environment, place.home);
  return readNamed(environment, place)[0] ?? workspaceToolbox(place.workspace);
}

function readNamed(
  { HAFT_TOOLBOX }: Readonly<Record<string, string | undefined>>,
  { workspace, home }: ToolboxPlace,
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
  // One that is relative is to be taken for none.
  const base = XDG_CONFIG_HOME?.startsWith("/") ? XDG_CONFIG_HOME : join(home, ".config");
  return join(base, "haft/toolbox");
}
