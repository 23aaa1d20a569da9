import { homedir } from "node:os";
import { join } from "node:path";
import type { DiskComputer } from "@haft/computer";
import { stateDirectory } from "@haft/computer/internal";
import { findToolboxDirectories, type ToolboxPaths } from "@haft/connect/internal/toolbox";
import type { ToolboxOptions } from "@haft/connect/toolbox";
import type { Io } from "../../io.ts";

/** Returns the toolbox of a computer's workspace. */
export function locateToolbox(computer: DiskComputer, { environment }: Io): ToolboxOptions {
  return {
    directories: findToolboxDirectories(environment, locateWorkspace(computer, { environment })),
    computer,
    cacheDirectory: join(stateDirectory(environment), "toolbox"),
  };
}

/** Returns the directories that toolboxes are looked for in. */
export function locateWorkspace(
  computer: DiskComputer,
  { environment }: Pick<Io, "environment">,
): ToolboxPaths {
  return { workspace: computer.roots[0] as string, home: environment.HOME ?? homedir() };
}
