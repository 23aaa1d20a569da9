import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "@haft/contract/internal";

/** Lists the directories from a file's own up to `top`, nearest first. */
export function directoriesUpTo(top: string, file: string): readonly string[] {
  const directories: string[] = [];
  for (let directory = dirname(file); isInside(top, directory); directory = dirname(directory)) {
    directories.push(directory);
    if (directory === top) break;
  }
  return directories;
}

/** Returns the project directory of a file: the nearest with a marker, or the workspace root. */
export function findRoot(
  markers: readonly (readonly string[])[],
  { file, workspace }: { readonly file: string; readonly workspace: string },
): string {
  const directories = directoriesUpTo(workspace, file);
  for (const group of markers) {
    const root = directories.find((directory) =>
      group.some((name) => existsSync(join(directory, name))),
    );
    if (root !== undefined) return root;
  }
  return workspace;
}
