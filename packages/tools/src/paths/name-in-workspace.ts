/** Returns a path relative to the innermost workspace root that contains it, or the absolute path. */
export function nameInWorkspace(path: string, roots: readonly string[]): string {
  const names = roots
    .map((root) => (root.endsWith("/") ? root : `${root}/`))
    .filter((start) => path.startsWith(start))
    .map((start) => path.slice(start.length));
  return names.reduce((shortest, name) => (name.length < shortest.length ? name : shortest), path);
}
