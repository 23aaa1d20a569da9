import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Files by their paths, sorted. */
export type Files = ReadonlyMap<string, Uint8Array>;

// The same from `src` and from `dist`.
const scaffold = fileURLToPath(new URL("../../scaffold/", import.meta.url));

/** Reads a folder of the scaffold that comes with this package. */
export async function readScaffoldFiles(folder: string): Promise<Files> {
  const directory = join(scaffold, folder);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
  const files = await Promise.all(
    paths.map(async (path) => [rename(path), await readFile(join(directory, path))] as const),
  );
  return new Map(files);
}

// npm does not publish files named .gitignore.
function rename(path: string): string {
  return path === "gitignore" ? ".gitignore" : path;
}
