import { type ToolAlias, ToolError } from "@haft/contract";
import type { GrepArguments } from "./grep-arguments.ts";

/** Other names for `grep`. */
export const grepAliases: readonly ToolAlias<GrepArguments>[] = [
  {
    name: "Grep",
    description: [
      "Search the contents of files with a regular expression in Rust's syntax (escape { and }).",
      "Ignores case unless caseSensitive is set; leaves out what .gitignore names.",
      "Gives up to 100 lines, 10 of one file.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string", description: "Regex pattern to search for" },
        path: { type: "string", description: "File or directory path. Cannot use with glob." },
        glob: { type: "string", description: "Glob pattern for files. Cannot use with path." },
        caseSensitive: {
          type: "boolean",
          description: "Case-sensitive search (default: false)",
        },
        literal: {
          type: "boolean",
          description: "Treat pattern as literal string, not regex",
        },
      },
      required: ["pattern"],
    },
    toArguments: ({ pattern, path, glob, caseSensitive, literal }) => {
      if (path !== undefined && glob !== undefined) {
        throw new ToolError(
          "invalid-arguments",
          "path and glob can't be used together: give the one or the other.",
        );
      }
      return {
        pattern: pattern as string,
        case_sensitive: caseSensitive === true,
        ...(path === undefined ? {} : { path: path as string }),
        ...(glob === undefined ? {} : { glob: glob as string }),
        ...(literal === undefined ? {} : { literal: literal as boolean }),
      };
    },
  },
];
