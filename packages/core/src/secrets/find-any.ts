/** One of several texts, found at a place. */
export interface FoundText {
  readonly start: number;
  readonly text: string;
}

/** Finds the first of several texts from a place on; of those that begin there the longest. */
export type FindAny = (text: string, from: number) => FoundText | undefined;

/**
 * Makes a search for many texts at once, after Wu and Manber: it looks at two characters near where
 * one could end, and jumps as far as they allow. All texts must have at least two characters.
 */
export function createFindAny(texts: readonly string[]): FindAny {
  if (texts.length === 0) return () => undefined;
  const length = Math.min(...texts.map((text) => text.length), maxWindowLength);
  const jumps = new Uint8Array(pairs).fill(length - 1);
  const byPair = new Map<number, string[]>();
  for (const text of texts.toSorted((a, b) => b.length - a.length)) {
    for (let at = 1; at < length; at++) {
      const pair = pairAt(text, at);
      jumps[pair] = Math.min(jumps[pair] as number, length - 1 - at);
    }
    const pair = pairAt(text, length - 1);
    byPair.set(pair, [...(byPair.get(pair) ?? []), text]);
  }
  return (text, from) => {
    for (let at = from + length - 1; at < text.length; ) {
      const pair = pairAt(text, at);
      const jump = jumps[pair] as number;
      if (jump > 0) {
        at += jump;
        continue;
      }
      const start = at - length + 1;
      const found = byPair.get(pair)?.find((each) => text.startsWith(each, start));
      if (found !== undefined) return { start, text: found };
      at++;
    }
    return undefined;
  };
}

const maxWindowLength = 64;
const pairs = 1 << 14;

// Letters beyond ASCII may share a number: what is found is compared in any case.
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) & 127) << 7) | (text.charCodeAt(at) & 127);
}
