/** What a search looks for. */
export interface SearchWords {
  readonly pattern?: string;
  readonly glob?: string;
  readonly case_sensitive?: boolean;
}

/** A search in the words of this program, and what was read as what. */
export interface SearchReading<Words> {
  readonly words: Words;
  readonly note: string;
}

/**
 * Reads a search that found nothing as other programs do: `a\|b` of grep, `/a/i` of scripts, and globs
 * such as `*.ts,*.tsx` or `*.(ts|tsx)`. Returns `undefined` if it reads the same.
 */
export function readSearch<Words extends SearchWords>(
  words: Words,
): SearchReading<Words> | undefined {
  const { pattern, glob } = words;
  const read: Record<string, unknown> = {};
  const notes: string[] = [];
  if (pattern !== undefined) {
    const [, inner, flags = ""] = /^\/(.+)\/([gimsuy]*)$/su.exec(pattern) ?? [];
    if (flags.includes("i")) read.case_sensitive = false;
    const plain = (inner ?? pattern).replaceAll(/(?<!\\)\\\|/gu, "|");
    if (plain !== pattern) {
      read.pattern = plain;
      notes.push(`${pattern} was read as ${plain}${flags.includes("i") ? ", ignoring case" : ""}`);
    }
  }
  const plainGlob = glob === undefined ? undefined : readGlob(glob);
  if (plainGlob !== glob) {
    read.glob = plainGlob;
    notes.push(`${glob} was read as ${plainGlob}`);
  }
  if (notes.length === 0) return undefined;
  return {
    words: { ...words, ...read },
    note: `Nothing matches as it stands: ${notes.join("; ")}.`,
  };
}

/** Reads a list of globs, or alternatives in brackets, as a glob with braces. */
export function readGlob(glob: string): string {
  const braces = glob.replaceAll(/[@+?]?\(([^()]+\|[^()]+)\)/gu, (_, inner: string) => {
    return `{${inner.split("|").join(",")}}`;
  });
  if (/[{}]/u.test(braces)) return braces;
  const parts = braces.split(/[,;|]\s*|\s+/u).filter((part) => part !== "");
  return parts.length > 1 ? `{${parts.join(",")}}` : braces;
}
