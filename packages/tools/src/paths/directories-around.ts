import type { RuntimeSession } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { directoriesAbove } from "./directories-above.ts";

/**
 * Returns the directories that contain a path, from the root of the repository that its workspace is a part of
 * down to its own. Returns none for a path outside the workspace. Paths are absolute.
 */
export function directoriesAround(
  path: string,
  { roots, repositories = [] }: Pick<RuntimeSession, "roots" | "repositories">,
): string[] {
  const own = directoriesAbove(path, roots);
  const [root] = own;
  const repository = repositories.find((each) => root !== undefined && isInside(each, root));
  return repository === undefined ? own : directoriesAbove(path, [repository]);
}
