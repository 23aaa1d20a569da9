import { homedir } from "node:os";
import { join } from "node:path";
import { type DiskComputer, stateDirectory } from "@haft/computer";
import {
  findToolboxDirectories,
  type ToolboxOptions,
  type ToolboxPlace,
} from "@haft/connect/toolbox";
import type { Io } from "../../io.ts";

/** The toolbox of a computer's workspace. */
export function locateToolbox(computer: DiskComputer, { environment }: Io): ToolboxOptions {
  return {
    directories: findToolboxDirectories(environment, placeOf(computer, { environment })),
    computer,
    cacheDirectory: join(stateDirectory(environment), "toolbox"),
  };
}

/** Where its directories are. */
export function placeOf(
  computer: DiskComputer,
  { environment }: Pick<Io, "environment">,
): ToolboxPlace {
  return { workspace: computer.roots[0] as string, home: environment.HOME ?? homedir() };
}
