import type { Runtime } from "@haft/contract";
import { directoriesAbove } from "./directories-above.ts";

const names = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];

/**
 * Finds the instruction files for paths, in their directories and those above, up to the workspace
 * root, nearest last. It skips the paths themselves and candidates in `looked`, and adds the new
 * candidates to `looked`.
 */
export async function findGuidance(
  paths: readonly string[],
  runtime: Runtime,
  looked: Set<string> = new Set(),
): Promise<string[]> {
  const changed = new Set(paths);
  const candidates: string[] = [];
  for (const path of paths) {
    for (const directory of directoriesAbove(path, runtime.session.roots)) {
      for (const name of names) {
        const candidate = `${directory}/${name}`;
        if (looked.has(candidate) || changed.has(candidate)) continue;
        looked.add(candidate);
        candidates.push(candidate);
      }
    }
  }
  const found = await Promise.all(candidates.map((candidate) => isFile(candidate, runtime)));
  return candidates.filter((_, index) => found[index]);
}

async function isFile(path: string, runtime: Runtime): Promise<boolean> {
  try {
    return (await runtime.fs.stat(path)).kind === "file";
  } catch {
    // A file that is missing or out of scope can't be read either way. For any other error, the
    // change is already made, so the call must not fail.
    return false;
  }
}
