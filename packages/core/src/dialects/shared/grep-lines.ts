/** A line that a search found, or one beside such a line. */
export interface GrepLine {
  readonly path: string;
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** What `grep` tells. */
export interface GrepData {
  readonly matches: readonly GrepMatch[];
  readonly truncated?: boolean;
}

interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly clipped?: boolean;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** How many lines beside a match are wanted. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/**
 * The lines of a search in their order, with as many beside each match as are wanted. `grep` shows
 * as many before as after, and each line once, so every match decides over all of them.
 */
export function toGrepLines({ matches }: GrepData, around: Around): GrepLine[] {
  const lines = matches.flatMap((match) => {
    const { path, line, text, clipped, before = [], after = [] } = match;
    const beside = (texts: readonly string[], first: number): GrepLine[] =>
      texts.map((one, at) => ({ path, number: first + at, text: one, isMatch: false }));
    const shown = clipped ? `${text}… [the line goes on]` : text;
    return [
      ...beside(before, line - before.length),
      { path, number: line, text: shown, isMatch: true },
      ...beside(after, line + 1),
    ];
  });
  const wanted = new Map<string, Set<number>>();
  for (const { path, line } of matches) {
    const numbers = wanted.get(path) ?? new Set();
    wanted.set(path, numbers);
    for (let at = line - around.before; at <= line + around.after; at++) numbers.add(at);
  }
  return lines.filter(({ path, number }) => wanted.get(path)?.has(number));
}

/** What `grep` is to be asked for; it shows no more than twenty. */
export function toContext({ before, after }: Around): { context?: number } {
  const most = Math.min(20, Math.max(before, after));
  return most > 0 ? { context: most } : {};
}
