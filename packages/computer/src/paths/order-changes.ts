import { type PathChange, ToolError } from "@haft/contract";

/**
 * The order in which changes fit onto each other: directories are made before what goes into them,
 * and emptied before they are removed. Each path may be changed once.
 */
export function orderChanges(changes: readonly PathChange[]): PathChange[] {
  const paths = new Set<string>();
  for (const { path } of changes) {
    if (paths.has(path)) throw changedTwice(path);
    paths.add(path);
  }
  const of = (...kinds: readonly string[]): PathChange[] =>
    changes.filter(({ to }) => kinds.includes(to.kind));
  return [
    ...of("directory").sort((a, b) => a.path.length - b.path.length),
    ...of("file", "link"),
    ...of("absent").sort((a, b) => b.path.length - a.path.length),
  ];
}

/** Two of several changes are about one path. */
export function changedTwice(path: string): ToolError {
  return new ToolError(
    "invalid-arguments",
    `${path} is changed twice at once. Say once what shall be there.`,
    { absolutePath: path },
  );
}
