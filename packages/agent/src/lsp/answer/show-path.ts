import { isInside } from "@haft/contract/internal";

/** Formats a path: relative to the workspace root if inside it. */
export function showPath(path: string, root: string): string {
  if (path === root || !isInside(root, path)) return path;
  return path.slice(root.endsWith("/") ? root.length : root.length + 1);
}
