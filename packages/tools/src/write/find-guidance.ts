import { type Runtime, ToolError } from "@haft/contract";
import { directoriesAbove } from "../paths/directories-above.ts";

const names = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];

/**
 * The files with instructions that hold for a path: in its directory and those above it, up to the
 * workspace root, the nearest last. The path itself is not among them.
 */
export async function findGuidance(path: string, runtime: Runtime): Promise<string[]> {
  const candidates = directoriesAbove(path, runtime.session.roots)
    .flatMap((directory) => names.map((name) => `${directory}/${name}`))
    .filter((candidate) => candidate !== path);
  const found = await Promise.all(candidates.map((candidate) => isFile(candidate, runtime)));
  return candidates.filter((_, index) => found[index]);
}

async function isFile(path: string, runtime: Runtime): Promise<boolean> {
  try {
    return (await runtime.fs.stat(path)).kind === "file";
  } catch (error) {
    // Missing or out of scope: the same to the reader, who can't open it.
    if (ToolError.isInstance(error)) return false;
    throw error;
  }
}
