/** What `glob` found. */
export interface GlobData {
  readonly files: readonly string[];
  readonly remaining: number;
}

// `glob` gives more files than it counts as shown.
const countedAsShown = 1_000;

/** How many files there are beside those that were given. */
export function countRest({ files, remaining }: GlobData): number {
  return Math.max(0, remaining - Math.max(0, files.length - countedAsShown));
}
