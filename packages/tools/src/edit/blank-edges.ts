/** How many blank lines a text begins and ends with; a line break at the end counts as one. */
export interface BlankEdges {
  readonly before: number;
  readonly after: number;
}

/** Counts the blank lines at the edges of a text; `undefined` if it has no others. */
export function findBlankEdges(lines: readonly string[]): BlankEdges | undefined {
  const before = lines.findIndex((line) => line.trim() !== "");
  if (before === -1) return undefined;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return { before, after: lines.length - 1 - last };
}

/** Takes off as many blank lines from the edges as these are, where there are so many. */
export function trimBlankEdges(lines: readonly string[], edges: BlankEdges): readonly string[] {
  const own = findBlankEdges(lines);
  // Nothing but blank lines: none of them is left.
  if (own === undefined) return lines.slice(Math.min(lines.length, edges.before + edges.after));
  const before = Math.min(own.before, edges.before);
  return lines.slice(before, lines.length - Math.min(own.after, edges.after));
}
