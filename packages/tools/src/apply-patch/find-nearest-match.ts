/** The lines of a file that are most similar to a block. */
export interface NearestMatch {
  readonly at: number;
  /** The lines of the file that differ, with the index of the line in the block. */
  readonly differences: readonly { readonly line: number; readonly index: number }[];
}

/** Finds the position where most lines of a block match, ignoring indentation. */
export function findNearestMatch(
  lines: readonly string[],
  block: readonly string[],
): NearestMatch | undefined {
  const indexes = new Map<string, number[]>();
  for (const [index, text] of block.entries()) {
    const known = indexes.get(text.trim());
    if (known === undefined) indexes.set(text.trim(), [index]);
    else if (known.length < maxRepeats) known.push(index);
  }
  // Each line of the file votes for the positions at which it would match.
  const votes = new Map<number, number>();
  for (const [line, text] of lines.entries()) {
    const trimmed = text.trim();
    // Lines such as brackets occur everywhere and mean little.
    const weight = Math.min(trimmed.length + 1, 20);
    for (const index of indexes.get(trimmed) ?? []) {
      const at = line - index;
      if (at >= 0) votes.set(at, (votes.get(at) ?? 0) + weight);
    }
  }
  let best: number | undefined;
  for (const [at, count] of votes) {
    if (best === undefined || count > (votes.get(best) ?? 0)) best = at;
  }
  if (best === undefined) return undefined;
  const at = best;
  const all = block.map((text, index) => ({ text, line: at + index, index }));
  return { at, differences: all.filter(({ text, line }) => lines[line] !== text) };
}

// In a block of many equal lines, every line of the file would vote as often.
const maxRepeats = 20;
