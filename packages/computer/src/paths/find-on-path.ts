import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** Returns the full path of a program: the first executable file of that name on a `PATH`. */
export function findOnPath(name: string, path: string | undefined): string | undefined {
  return listPathDirectories(path)
    .map((directory) => join(directory, name))
    .find(isExecutableFile);
}

/**
 * Lists the directories of a `PATH`. Relative ones are left out: they would mean a different
 * directory for each program's working directory.
 */
export function listPathDirectories(path: string | undefined): readonly string[] {
  return (path ?? "").split(":").filter(isAbsolute);
}

/** Tells whether a path leads to a file that can be executed. */
export function isExecutableFile(path: string): boolean {
  try {
    // Most places on a `PATH` don't have the program, and an exception costs more than the look itself.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
