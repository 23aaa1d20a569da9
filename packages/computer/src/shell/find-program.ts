import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { isInside } from "../paths/path-parts.ts";

/** The full path of a program: the first that can be run in these directories. */
export function findProgram(name: string, directories: readonly string[]): string | undefined {
  if (!/^[^/\0]+$/u.test(name) || name === "." || name === "..") {
    throw new ToolError(
      "invalid-arguments",
      `${JSON.stringify(name)} is not the name of a program. Give the name alone, without a directory.`,
    );
  }
  return directories.map((directory) => join(directory, name)).find(canRun);
}

/** The directories in which the system looks for programs. */
export function systemDirectories(path: string | undefined): readonly string[] {
  // A relative one would mean another directory for every program that is run.
  return (path ?? "").split(":").filter((directory) => directory.startsWith("/"));
}

/** Whether a directory has the programs of another project, on the path because of how we were started. */
export function isForeign(directory: string, roots: readonly string[]): boolean {
  return directory.includes("/node_modules/.") && !roots.some((root) => isInside(root, directory));
}

/** Whether a path leads to a file that can be run. */
export function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
