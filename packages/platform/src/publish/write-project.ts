import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";

/** Writes a project's files into a directory. Throws a `Problem` 400 for a path that leads elsewhere. */
export async function writeProject(project: ProjectTree, directory: string): Promise<void> {
  for (const path of project.keys()) requirePlain(path);
  const folders = new Set([...project.keys()].map((path) => dirname(join(directory, path))));
  for (const folder of [directory, ...folders]) await mkdir(folder, { recursive: true });
  for (const [path, bytes] of project) await writeFile(join(directory, path), bytes);
}

function requirePlain(path: string): void {
  const parts = path.split("/");
  if (path.includes("\0") || parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new Problem(400, `The project has a file at ${JSON.stringify(path)}, which is no path.`);
  }
  if (parts.includes("node_modules")) {
    throw new Problem(
      400,
      `The project has ${path} in the repository. Take node_modules out of it (git rm -r --cached node_modules); packages are installed from package-lock.json.`,
    );
  }
}
