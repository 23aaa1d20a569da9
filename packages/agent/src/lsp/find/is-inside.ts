import { sep } from "node:path";

/** Tells whether a path is a directory or lies below it; both absolute and normalised. */
export function isInside(directory: string, path: string): boolean {
  const start = directory.endsWith(sep) ? directory : `${directory}${sep}`;
  return path === directory || path.startsWith(start);
}
