import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { isExecutableFile } from "../paths/find-on-path.ts";

/** Returns the full path of a program: the first executable in these directories. */
export function findProgram(name: string, directories: readonly string[]): string | undefined {
  if (!/^[^/\0]+$/u.test(name) || name === "." || name === "..") {
    throw new ToolError(
      "invalid-arguments",
      `${JSON.stringify(name)} is not the name of a program. Give the name alone, without a directory.`,
    );
  }
  return directories.map((directory) => join(directory, name)).find(isExecutableFile);
}

/** Whether a directory holds another project's programs, on the PATH only because of how we were started. */
export function isForeign(directory: string, roots: readonly string[]): boolean {
  return directory.includes("/node_modules/.") && !roots.some((root) => isInside(root, directory));
}
