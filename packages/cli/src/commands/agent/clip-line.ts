import { toVisibleLine } from "@haft/core/internal";

/** Makes a text safe to show in one line of limited length. */
export function clipLine(text: string, most: number): string {
  // Cut before escaping, because texts can be large.
  const line = text
    .slice(0, 4 * most)
    .replaceAll(/\s+/gu, " ")
    .trim();
  const isCut = line.length > most || text.length > 4 * most;
  return toVisibleLine(isCut ? `${line.slice(0, most - 1)}…` : line);
}
