import { clipText } from "@haft/contract/internal";
import type { DialectAlias } from "../dialect.ts";
import { toRelative } from "../shared/search.ts";

/** `glob`: finds files by pattern. The native tool has the same name but other parameters. */
export const glob: DialectAlias = {
  name: "glob",
  tool: "glob",
  parameters: {
    type: "object",
    properties: {
      filePattern: {
        type: "string",
        description: 'Glob pattern like "**/*.js" or "src/**/*.ts"',
      },
      limit: { type: "number", description: "Maximum results to return" },
      offset: { type: "number", description: "Results to skip (pagination)" },
    },
    required: ["filePattern"],
    additionalProperties: false,
  },
  toArguments: ({ filePattern, limit, offset }) => ({
    pattern: filePattern,
    ...(limit === undefined ? {} : { limit: Math.max(0, Math.floor(limit as number)) }),
    ...(offset === undefined ? {} : { offset: Math.max(0, Math.floor(offset as number)) }),
  }),
  remark: "message",
  toData: (data) => {
    const { files, remaining } = data as GlobData;
    return { files, remaining };
  },
};

interface GlobData {
  readonly files: readonly string[];
  readonly remaining: number;
}

const maxLineLength = 200;

/** `Grep`: finds lines by content. */
export const grep: DialectAlias = {
  name: "Grep",
  tool: "grep",
  settings: { matches: 100, matches_per_file: 10, line_length: maxLineLength + 1 },
  remark: "note",
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
  return entry.length > maxLineLength ? `${clipText(entry, maxLineLength, "")}...` : entry;
}

/** Maximum number of bytes of a page. */
export const maxPageBytes = 262_144;

/** `read_web_page`: returns the text of a page. */
export const readWebPage: DialectAlias = {
  name: "read_web_page",
  tool: "web_fetch",
  settings: { timeout_ms: 120_000 },
  maxOutput: { bytes: maxPageBytes },
  toData: (data) => {
    const { text, note } = data as WebFetchData;
    if (text === undefined) return data;
    return note === undefined ? text : `${text}\n\n[${note}]`;
  },
};

interface WebFetchData {
  readonly text?: string;
  readonly note?: string;
}
