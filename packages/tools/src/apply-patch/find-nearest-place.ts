/** Where some lines come nearest to those of a file. */
export interface NearestPlace {
  readonly at: number;
  /** Which lines of the file are other than which of the block. */
  readonly differences: readonly { readonly line: number; readonly index: number }[];
}

/** Finds the place where most of a block's lines stand, whatever their indentation. */
export function findNearestPlace(
  lines: readonly string[],
  block: readonly string[],
): NearestPlace | undefined {
  const indexes = new Map<string, number[]>();
  for (const [index, text] of block.entries()) {
    const known = indexes.get(text.trim());
    if (known === undefined) indexes.set(text.trim(), [index]);
    else if (known.length < mostRepeats) known.push(index);
  }
  // Each line of the file votes for the places at which it would fit.
  const votes = new Map<number, number>();
  for (const [line, text] of lines.entries()) {
    const trimmed = text.trim();
    // Lines such as brackets stand everywhere and tell little.
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

// A block of many equal lines would have every line of the file vote as often.
const mostRepeats = 20;
