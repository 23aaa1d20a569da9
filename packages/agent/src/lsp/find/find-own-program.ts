import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { directoriesUpTo } from "./find-root.ts";
import { isInside } from "./is-inside.ts";

/** Where programs are looked for. */
export interface ProgramPlace {
  /** The workspace roots. */
  readonly roots: readonly string[];
  /** The root that holds the file. */
  readonly workspace: string;
  readonly file: string;
  /** As in `PATH`. */
  readonly searchPath: string | undefined;
}

/** The full path of a program: the project's own, from the file's directory upward, else one on the search path. */
export function findOwnProgram(name: string, place: ProgramPlace): string | undefined {
  const { roots, workspace, file, searchPath = "" } = place;
  const own = directoriesUpTo(workspace, file)
    .map((directory) => join(directory, "node_modules/.bin", name))
    .find((path) => canRun(path) && staysAmongPackages(path, roots));
  if (own !== undefined) return own;
  return searchPath
    .split(delimiter)
    .filter((directory) => isAbsolute(directory) && !isForeign(directory, roots))
    .map((directory) => join(directory, name))
    .find(canRun);
}

/** Whether what a link of the project leads to is the project's own, or a package: nothing else is shown to a program. */
export function staysAmongPackages(path: string, roots: readonly string[]): boolean {
  try {
    const landing = realpathSync.native(path);
    return landing.includes("/node_modules/") || roots.some((root) => isInside(root, landing));
  } catch {
    return false;
  }
}

// Programs of another project are on the search path only because of how we were started.
function isForeign(directory: string, roots: readonly string[]): boolean {
  return directory.includes("/node_modules/.") && !roots.some((root) => isInside(root, directory));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
