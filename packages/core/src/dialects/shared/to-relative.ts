/** A path as it is called inside the workspace; one outside stays as it is. */
export function toRelative(path: string, roots: readonly string[]): string {
  const [root = ""] = roots;
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
