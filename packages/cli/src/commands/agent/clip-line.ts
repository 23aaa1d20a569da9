import { toVisibleLine } from "@haft/core";

/** A text in one line that is safe to show, not longer than so many characters. */
export function clipLine(text: string, most: number): string {
  // Cut before it is looked at: texts can be large.
  const line = text
    .slice(0, 4 * most)
    .replaceAll(/\s+/gu, " ")
    .trim();
  const isCut = line.length > most || text.length > 4 * most;
  return toVisibleLine(isCut ? `${line.slice(0, most - 1)}…` : line);
}
