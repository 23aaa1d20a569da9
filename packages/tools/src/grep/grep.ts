import { defineTool, type FoundText, type Tool, ToolError } from "@haft/contract";
import { type GrepMatch, gatherMatches } from "./gather-matches.ts";
import { grepAliases } from "./grep-aliases.ts";
import type { GrepArguments } from "./grep-arguments.ts";

/** The lines that match. */
export interface GrepData {
  matches: GrepMatch[];
  truncated?: true;
  message?: string;
}

const mostShown = 200;
const lineLength = 500;

/** Finds lines by content. */
export const grep: Tool<GrepArguments, GrepData> = defineTool({
  id: "grep",
  description: [
    "Finds lines in files with a regular expression in Rust's syntax, line by line: to find { or ( itself, escape it or set literal.",
    "Gives up to 200 matching lines with path and number, in the order of paths.",
    "Leaves out what .gitignore names, hidden and binary files and files with secrets, unless path names the very file. To find files by name, use glob.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "What a line shall contain; not empty." },
      path: {
        type: "string",
        minLength: 1,
        description: "The file or directory to look in; the workspace root if left out.",
      },
      glob: {
        type: "string",
        minLength: 1,
        description: "Only files that fit it, such as `*.ts` or `src/**/*.ts`.",
      },
      case_sensitive: {
        type: "boolean",
        description: "False takes capital and small letters for the same; true if left out.",
      },
      literal: {
        type: "boolean",
        description: "Take the pattern as plain text and not as a regular expression.",
      },
      context: {
        type: "integer",
        minimum: 0,
        maximum: 20,
        description: "How many lines to show before and after each match.",
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
            line: { type: "integer", description: "Counted from 1." },
            text: { type: "string" },
            clipped: { type: "boolean", description: "The line goes on." },
            before: {
              type: "array",
              items: { type: "string" },
              description: "The lines right before it, as far as no match above shows them.",
            },
            after: { type: "array", items: { type: "string" }, description: "Those after it." },
          },
          required: ["path", "line", "text"],
          additionalProperties: false,
        },
      },
      truncated: { type: "boolean", description: "More lines match than are here." },
      message: { type: "string" },
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
  maxOutput: { entries: mostShown, field: "matches" },
  execute: async (args, { fs, settings, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Searched nothing: aborted.");
    if (args.pattern === "") {
      throw new ToolError("invalid-arguments", "pattern: it is empty and would fit every line.");
    }
    const limits = settings as GrepSettings;
    const found = await fs.findText({
      pattern: args.pattern,
      literal: args.literal ?? false,
      caseSensitive: args.case_sensitive ?? true,
      path: args.path ?? ".",
      ...(args.glob === undefined ? {} : { glob: args.glob }),
      ...(args.context === undefined ? {} : { context: args.context }),
      // One more than is shown, so that the path of the call knows that something was cut.
      limit: limits.matches ?? mostShown + 1,
      ...(limits.matches_per_file === undefined ? {} : { limitPerFile: limits.matches_per_file }),
      lineLength: limits.line_length ?? lineLength,
    });
    return toData(found, args, limits.matches ?? mostShown);
  },
});

interface GrepSettings {
  readonly matches?: number;
  readonly matches_per_file?: number;
  readonly line_length?: number;
}

function toData(found: FoundText, args: GrepArguments, most: number): GrepData {
  const matches = gatherMatches(found.matches);
  if (matches.length === 0) return { matches, message: explainNothing(args) };
  if (!found.isCut && matches.length <= most) return { matches };
  return {
    matches,
    truncated: true,
    message: "More lines match than are shown: narrow the pattern, path or glob to see the others.",
  };
}

function explainNothing({ pattern, literal, case_sensitive }: GrepArguments): string {
  const remedies: string[] = [];
  if (literal !== true && /[\\^$.|?*+()[\]{}]/u.test(pattern)) {
    remedies.push("set literal if the pattern is meant as plain text");
  }
  if (case_sensitive !== false) remedies.push("set case_sensitive to false to ignore case");
  return `No results.${remedies.length === 0 ? "" : ` You may ${remedies.join(", or ")}.`}`;
}
