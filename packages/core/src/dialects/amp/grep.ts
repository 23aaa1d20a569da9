import type { DialectAlias } from "../dialect.ts";
import { toRelative } from "../shared/to-relative.ts";

const maxLineLength = 200;

/** `Grep`: lines by content. */
export const grep: DialectAlias = {
  name: "Grep",
  tool: "grep",
  settings: { matches: 100, matches_per_file: 10, line_length: maxLineLength + 1 },
  toData: (data, _args, { roots }) => {
    const { matches } = data as GrepData;
    if (matches.length === 0) return noResults;
    return matches.map(({ path, line, text }) =>
      clip(`${toRelative(path, roots)}:${line}: ${text}`),
    );
  },
  toErrorText: ({ message, details }) =>
    details.reason === "bad-pattern" ? `ripgrep exited with code 2: ${message}` : message,
};

const noResults: readonly string[] = [
  "No results found.",
  "If you meant to search for a literal string, run Grep again with literal:true.",
];

interface GrepData {
  readonly matches: readonly {
    readonly path: string;
    readonly line: number;
    readonly text: string;
  }[];
}

function clip(entry: string): string {
  const characters = Array.from(entry.slice(0, 2 * maxLineLength + 2));
  if (characters.length <= maxLineLength) return entry;
  return `${characters.slice(0, maxLineLength).join("")}...`;
}
