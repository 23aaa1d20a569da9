import { type PathChange, ToolError } from "@haft/contract";

/**
 * Orders changes so that each can be applied: directories are created before their entries, and
 * emptied before they are removed. Each path may be changed once.
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

/** Two of several changes concern the same path. */
export function changedTwice(path: string): ToolError {
  return new ToolError(
    "invalid-arguments",
    `${path} is changed twice in one call. State only its final content.`,
    { absolutePath: path },
  );
}
