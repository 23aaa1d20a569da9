import { type FileSystem, ToolError } from "@haft/contract";
import { nameInWorkspace } from "../paths/name-in-workspace.ts";
import type { Problem } from "./problem.ts";

/** The directory of a check, and the workspace roots. */
export interface CheckLocation {
  readonly directory: string;
  readonly roots: readonly string[];
}

/** Makes the file paths of problems relative to the workspace root. */
export async function locateProblems(
  problems: readonly Problem[],
  { directory, roots }: CheckLocation,
  fs: FileSystem,
): Promise<Problem[]> {
  const known = new Map<string, Promise<string>>();
  const locate = (file: string): Promise<string> => {
    const located = known.get(file) ?? findFile(file, directory, fs);
    known.set(file, located);
    return located;
  };
  return Promise.all(
    problems.map(async (problem) => {
      if (problem.file === undefined) return problem;
      return { ...problem, file: nameInWorkspace(await locate(problem.file), roots) };
    }),
  );
}

// Go names a file by its package, whose first parts are not directories here.
async function findFile(file: string, directory: string, fs: FileSystem): Promise<string> {
  if (file.startsWith("/")) return fs.resolve(file);
  const parts = file.split("/");
  for (let skipped = 0; skipped < parts.length; skipped++) {
    const candidate = fs.resolve(`${directory}/${parts.slice(skipped).join("/")}`);
    if (await exists(candidate, fs)) return candidate;
  }
  return fs.resolve(`${directory}/${file}`);
}

function exists(path: string, fs: FileSystem): Promise<boolean> {
  return fs.stat(path).then(
    () => true,
    (error) => {
      if (ToolError.isInstance(error)) return false;
      throw error;
    },
  );
}
