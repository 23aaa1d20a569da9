/**
 * The directories that hold a path, from the innermost workspace root that does down to its own;
 * none for a path outside the workspace. Paths are absolute.
 */
export function directoriesAbove(path: string, roots: readonly string[]): string[] {
  const root = roots
    .map((each) => (each === "/" ? "" : each))
    .filter((each) => path.startsWith(`${each}/`))
    .reduce<string | undefined>(
      (longest, each) => (longest === undefined || each.length > longest.length ? each : longest),
      undefined,
    );
  if (root === undefined) return [];
  const directories = [root];
  for (let at = path.indexOf("/", root.length + 1); at !== -1; at = path.indexOf("/", at + 1)) {
    directories.push(path.slice(0, at));
  }
  return directories;
}
