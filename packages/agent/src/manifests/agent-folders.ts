import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where agents are looked for. */
export interface AgentPlaces {
  /** The first root of the workspace. */
  readonly workspace: string;
  readonly home?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A folder of manifests. */
export interface AgentFolder {
  readonly path: string;
  readonly owner: "project" | "user" | "shipped";
  /** The project's root, which its files must lie in. */
  readonly within?: string | undefined;
}

/** The project's folders, from the workspace up to the root of its repository. */
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

/** The user's own folder. */
export function userFolder({ home, environment }: AgentPlaces): string | undefined {
  const { XDG_CONFIG_HOME: config } = environment;
  // One that is relative is to be taken for none.
  if (config?.startsWith("/")) return join(config, "haft/agents");
  return home === undefined ? undefined : join(home, ".config/haft/agents");
}

/** Where the manifests lie that come with Haft: beside the sources, or beside the bundled program. */
export function shippedFolder(): string {
  const ofPackage = join(import.meta.dirname, "../../agents");
  const ofProgram = join(import.meta.dirname, "agents");
  return existsSync(join(ofProgram, "build.md")) ? ofProgram : ofPackage;
}

// Without a repository nothing tells where a project ends: then it is the workspace alone.
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
