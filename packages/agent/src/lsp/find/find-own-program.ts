import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside } from "@haft/contract/internal";
import { directoriesUpTo } from "./find-root.ts";

/** Where to look for programs. */
export interface ProgramSearch {
  /** The workspace roots. */
  readonly roots: readonly string[];
  /** The root of the repository that contains the file, or of the workspace. Nothing above is searched. */
  readonly top: string;
  readonly file: string;
  /** As in `PATH`. */
  readonly searchPath: string | undefined;
}

/** Returns the full path of a program: the project's own, from the file's directory upward, or one on the search path. */
export function findOwnProgram(name: string, place: ProgramSearch): string | undefined {
  const { roots, top, file, searchPath = "" } = place;
  const own = directoriesUpTo(top, file)
    .map((directory) => join(directory, "node_modules/.bin", name))
    .find((path) => canRun(path) && staysAmongPackages(path, [...roots, top]));
  if (own !== undefined) return own;
  return searchPath
    .split(delimiter)
    .filter((directory) => isAbsolute(directory) && !isForeign(directory, roots))
    .map((directory) => join(directory, name))
    .find(canRun);
}

/** Tells whether the target of a link is inside the project or a package. Nothing else may be run or read. */
export function staysAmongPackages(path: string, roots: readonly string[]): boolean {
  try {
    const landing = realpathSync.native(path);
    return landing.includes("/node_modules/") || roots.some((root) => isInside(root, landing));
  } catch {
    return false;
  }
}

// npm adds programs of another project to PATH if Haft was started from there.
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
