/** The arguments of `glob`. */
export interface GlobArguments {
  readonly pattern: string;
  readonly path?: string;
}

/** Splits the directory off a pattern that is an absolute path, as some models write them. */
export function toGlobArguments(pattern: string, path: string | undefined): GlobArguments {
  if (!pattern.startsWith("/")) return path === undefined ? { pattern } : { pattern, path };
  const parts = pattern.split("/").slice(1);
  const magic = parts.findIndex((part) => /[*?[\]{}]/u.test(part));
  const end = magic === -1 ? parts.length - 1 : magic;
  return { pattern: parts.slice(end).join("/") || "*", path: `/${parts.slice(0, end).join("/")}` };
}

/** The data of `glob`. */
export interface GlobData {
  readonly files: readonly string[];
  readonly remaining: number;
}

// `glob` returns more files than it counts as shown.
const countedAsShown = 1_000;

/** Returns the number of files that were not returned. */
export function countRest({ files, remaining }: GlobData): number {
  return Math.max(0, remaining - Math.max(0, files.length - countedAsShown));
}

/** A matching line or a context line. */
export interface GrepLine {
  readonly path: string;
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** The data of `grep`. */
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

/** Number of context lines. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/**
 * Returns the lines of a search in order, with the requested context. `grep` returns as many lines
 * before as after, and each line once, so a line is kept if any match wants it.
 */
export function toGrepLines({ matches }: GrepData, around: Around): GrepLine[] {
  const lines = matches.flatMap((match) => {
    const { path, line, text, clipped, before = [], after = [] } = match;
    const beside = (texts: readonly string[], first: number): GrepLine[] =>
      texts.map((one, at) => ({ path, number: first + at, text: one, isMatch: false }));
    const shown = clipped ? `${text}… [the line continues]` : text;
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

/** Returns the `context` argument for `grep`, which allows at most 20. */
export function toContext({ before, after }: Around): { context?: number } {
  const context = Math.min(20, Math.max(before, after));
  return context > 0 ? { context } : {};
}

/** Makes a path relative to the first workspace root. A path outside stays absolute. */
export function toRelative(path: string, roots: readonly string[]): string {
  const [root] = roots;
  return root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
