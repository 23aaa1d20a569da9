import { type ToolAlias, ToolError } from "@haft/contract";
import type { GrepArguments } from "./grep-arguments.ts";

/** Aliases of `grep`. */
export const grepAliases: readonly ToolAlias<GrepArguments>[] = [
  {
    name: "Grep",
    description: [
      "Search file contents with a regular expression in Rust syntax (escape { and }).",
      "Ignores case unless caseSensitive is set; skips files ignored by .gitignore.",
      "Returns up to 100 lines, 10 per file.",
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
          "path and glob can't be used together. Use one of them.",
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
