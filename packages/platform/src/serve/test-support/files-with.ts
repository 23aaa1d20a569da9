import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** The files below a directory in which a text stands as it is, by their paths in it. */
export function filesWith(directory: string, text: string): readonly string[] {
  return (
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      // An empty one, which sandboxes cover secrets with, can't be opened by anyone but root.
      .filter((path) => statSync(path).size > 0 && readFileSync(path).includes(text))
      .map((path) => relative(directory, path))
  );
}
