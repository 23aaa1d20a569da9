/** Returns the known name that was probably meant; `undefined` if none is near. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const plain = simplify(name);
  const ranked = known
    .map((each) => ({ each, distance: countEdits(plain, simplify(each)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (best === undefined) return undefined;
  return best.distance <= Math.max(2, Math.floor(best.each.length / 3)) ? best.each : undefined;
}

// Python programmers write `input_schema` for `inputSchema`.
function simplify(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[-_\s]/gu, "");
}

/** Counts the letters to insert, delete or replace. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
