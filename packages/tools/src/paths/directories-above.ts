/**
 * Returns the directories that contain a path, from the innermost workspace root down to its own.
 * Returns none for a path outside the workspace. Paths are absolute.
 */
export function directoriesAbove(path: string, roots: readonly string[]): string[] {
  const root = roots
    .map((each) => (each === "/" ? "" : each))
    .filter((each) => path.startsWith(`${each}/`))
    .reduce<string | undefined>(
      (inner, each) => (inner === undefined || each.length > inner.length ? each : inner),
      undefined,
    );
  if (root === undefined) return [];
  const directories = [root];
  for (let at = path.indexOf("/", root.length + 1); at !== -1; at = path.indexOf("/", at + 1)) {
    directories.push(path.slice(0, at));
  }
  return directories;
}
