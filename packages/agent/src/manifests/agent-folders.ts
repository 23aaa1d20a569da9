import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProjectTrust } from "@haft/computer";

/** Where to look for agents. */
export interface AgentSearch {
  /** The first root of the workspace. */
  readonly workspace: string;
  readonly home?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Which of the project's files a person has trusted. Default: none. */
  readonly trust?: ProjectTrust | undefined;
}

/** A folder of manifests. */
export interface AgentFolder {
  readonly path: string;
  readonly owner: "project" | "user" | "shipped";
  /** The project's root, which must contain its files. */
  readonly within?: string | undefined;
}

/** Returns the project's folders, from the workspace up to the root of its repository. */
export function projectFolders(workspace: string): readonly AgentFolder[] {
  const start = tryRealPath(workspace);
  const directories = upToRepository(start);
  const within = directories.at(-1) ?? start;
  return directories.map((directory) => ({
    path: join(directory, ".haft/agents"),
    owner: "project",
    within,
  }));
}

/** Returns the user's own folder. */
export function userFolder({ home, environment }: AgentSearch): string | undefined {
  const { XDG_CONFIG_HOME: config } = environment;
  // The XDG specification says to ignore a relative path.
  if (config?.startsWith("/")) return join(config, "haft/agents");
  return home === undefined ? undefined : join(home, ".config/haft/agents");
}

/** Returns the folder of the manifests that come with Haft: next to the sources or the bundled program. */
export function shippedFolder(): string {
  const ofPackage = join(import.meta.dirname, "../../agents");
  const ofProgram = join(import.meta.dirname, "agents");
  return existsSync(join(ofProgram, "build.md")) ? ofProgram : ofPackage;
}

// Without a repository nothing shows where a project ends, so it is the workspace alone.
function upToRepository(workspace: string): readonly string[] {
  const passed: string[] = [];
  for (let directory = workspace; ; directory = dirname(directory)) {
    passed.push(directory);
    if (existsSync(join(directory, ".git"))) return passed;
    if (dirname(directory) === directory) return [workspace];
  }
}

function tryRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
