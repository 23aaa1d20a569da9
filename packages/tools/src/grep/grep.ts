import { defineTool, type FoundText, type Runtime, type Tool, ToolError } from "@haft/contract";
import { countFitting } from "@haft/contract/internal";
import { readSearch } from "../text/read-search.ts";
import { type GrepMatch, gatherMatches } from "./gather-matches.ts";
import { grepAliases } from "./grep-aliases.ts";
import type { GrepArguments } from "./grep-arguments.ts";

/** The result of `grep`. */
export interface GrepData {
  matches: GrepMatch[];
  truncated?: true;
  message?: string;
  /** How the search was read, if nothing matches it as it stands. */
  note?: string;
}

const maxShown = 200;
const lineLength = 500;

// Matches beyond the shown ones go to the sidecar. Each is verified in its file, so there is a limit.
const maxKept = 50_000;

/**
 * The `grep` tool: finds lines by content.
 *
 * @example
 * ```ts
 * import { glob, grep, read } from "@haft/tools";
 *
 * const tools = [glob, grep, read];
 * ```
 */
export const grep: Tool<GrepArguments, GrepData> = defineTool({
  id: "grep",
  description: [
    "Finds lines in files by a regular expression (Rust syntax).",
    "Returns up to 200 lines, sorted by path; offset skips those you have.",
    "Skips hidden and binary files, files with secrets, and what .gitignore excludes, unless path is that file. To find files by name, use `glob`.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: {
        type: "string",
        description: "Not empty. Escape a literal { or (, or set literal.",
      },
      path: {
        type: "string",
        minLength: 1,
        description: "File or directory. Default: the workspace.",
      },
      glob: {
        type: "string",
        minLength: 1,
        description: "Only files such as `*.ts` or `src/**/*.ts`.",
      },
      case_sensitive: {
        type: "boolean",
        description: "Default: true.",
      },
      literal: {
        type: "boolean",
        description: "Pattern is plain text.",
      },
      context: {
        type: "integer",
        minimum: 0,
        maximum: 20,
        description: "Lines around each match.",
      },
      offset: {
        type: "integer",
        minimum: 0,
        description: "Matches to skip.",
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      matches: {
        type: "array",
        items: {
          type: "object",
          properties: {
            path: { type: "string", description: "Absolute." },
            line: { type: "integer", description: "From 1." },
            text: { type: "string" },
            clipped: { type: "boolean", description: "True if the line was cut." },
            before: {
              type: "array",
              items: { type: "string" },
              description: "Lines before it that no match above shows.",
            },
            after: { type: "array", items: { type: "string" }, description: "Lines after it." },
          },
          required: ["path", "line", "text"],
          additionalProperties: false,
        },
      },
      truncated: { type: "boolean", description: "True if more lines match." },
      message: { type: "string" },
      note: { type: "string", description: "How the search was read, if not as it stands." },
    },
    required: ["matches"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"] } },
  kind: "search",
  source: "builtin",
  aliases: grepAliases,
  execution: {
    resourceKeys: ({ path = "." }) => [{ key: path, mode: "read", tree: true }],
  },
  maxOutput: { entries: maxShown, field: "matches" },
  execute: async (args, runtime) => {
    if (runtime.signal.aborted) {
      throw new ToolError("cancelled", "Cancelled: nothing was searched.");
    }
    if (args.pattern === "") {
      throw new ToolError("invalid-arguments", "pattern is empty and would match every line.");
    }
    const data = await search(args, runtime);
    const other = data.matches.length > 0 || args.literal ? undefined : readSearch(args);
    if (other === undefined) return data;
    const found = await search(other.words, runtime);
    if (found.matches.length === 0) return data;
    return { ...found, note: other.note };
  },
});

async function search(args: GrepArguments, { fs, settings }: Runtime): Promise<GrepData> {
  const limits = settings as GrepSettings;
  const found = await fs.findText({
    pattern: args.pattern,
    literal: args.literal ?? false,
    caseSensitive: args.case_sensitive ?? true,
    path: args.path ?? ".",
    ...(args.glob === undefined ? {} : { glob: args.glob }),
    ...(args.context === undefined ? {} : { context: args.context }),
    limit: limits.matches ?? maxKept,
    ...(limits.matches_per_file === undefined ? {} : { limitPerFile: limits.matches_per_file }),
    lineLength: limits.line_length ?? lineLength,
  });
  return toData(found, args, limits);
}

interface GrepSettings {
  readonly matches?: number;
  readonly matches_per_file?: number;
  readonly line_length?: number;
  /** The room that the matches have. */
  readonly max_bytes?: number;
  readonly max_lines?: number;
}

function toData(found: FoundText, args: GrepArguments, limits: GrepSettings): GrepData {
  const all = gatherMatches(found.matches);
  if (all.length === 0) return { matches: all, message: explainNothing(args) };
  const { offset = 0 } = args;
  const matches = offset === 0 ? all : all.slice(offset);
  if (matches.length === 0) {
    return { matches, message: `offset skips all ${all.length} matches. Set a smaller one.` };
  }
  const maxMatches = countShown(matches, limits);
  if (!found.isCut && matches.length <= maxMatches) return { matches };
  const shown = Math.min(matches.length, maxMatches);
  const range = `Matches ${offset + 1} to ${offset + shown}`;
  const message = found.isCut
    ? `${range} of more than ${all.length}; no more than ${all.length} were kept. Narrow the pattern, path or glob.`
    : `${range} of ${all.length}. Narrow the pattern, path or glob, or set offset to ${offset + shown} for the next ones.`;
  return { matches, truncated: true, message };
}

// The session cuts the list to the same number.
function countShown(matches: readonly GrepMatch[], limits: GrepSettings): number {
  if (limits.matches !== undefined) return limits.matches;
  const { max_bytes: bytes, max_lines: lines } = limits;
  if (bytes === undefined) return maxShown;
  return Math.min(maxShown, countFitting(matches.slice(0, maxShown), { bytes, lines }));
}

function explainNothing({ pattern, literal, case_sensitive }: GrepArguments): string {
  const remedies: string[] = [];
  if (literal !== true && /[\\^$.|?*+()[\]{}]/u.test(pattern)) {
    remedies.push("set literal if the pattern is meant as plain text");
  }
  if (case_sensitive !== false) remedies.push("set case_sensitive to false to ignore case");
  return `No results.${remedies.length === 0 ? "" : ` You may ${remedies.join(", or ")}.`}`;
}
