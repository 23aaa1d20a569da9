import { isInside } from "../find/is-inside.ts";

/** A path as it is shown: relative to the workspace root where it lies in it. */
export function showPath(path: string, root: string): string {
  if (path === root || !isInside(root, path)) return path;
  return path.slice(root.endsWith("/") ? root.length : root.length + 1);
}
