import type { Runtime } from "@haft/contract";
import { directoriesAbove } from "./directories-above.ts";

const names = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];

/**
 * The files with instructions that hold for paths: in their directories and those above, up to the
 * workspace root, the nearest last. The paths themselves are not among them, nor what was looked
 * for before, which is kept in `looked` if it is given.
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
    // Missing or out of scope: the same to the reader, who can't open it. And whatever else it is,
    // the file is changed by now, so that the call must not fail.
    return false;
  }
}
