/** A path as git would show it: from the innermost workspace root that holds it, else in full. */
export function nameInWorkspace(path: string, roots: readonly string[]): string {
  const names = roots
    .map((root) => (root.endsWith("/") ? root : `${root}/`))
    .filter((start) => path.startsWith(start))
    .map((start) => path.slice(start.length));
  return names.reduce((shortest, name) => (name.length < shortest.length ? name : shortest), path);
}
