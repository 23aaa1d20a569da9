import { defineTool, type Tool, ToolError } from "@haft/contract";

/** The arguments of `glob`. */
export interface GlobArguments {
  pattern: string;
  path?: string;
  limit?: number;
  offset?: number;
}

/** The files that match. */
export interface GlobData {
  files: string[];
  remaining: number;
}

const maxShown = 1_000;

// Files beyond the shown ones go to a sidecar, so some more are worth having. Ten times as many
// would cost as much as the search itself.
const maxKept = 2_000;

/**
 * The `glob` tool: finds files by name.
 *
 * @example
 * ```ts
 * import { glob, grep } from "@haft/tools";
 *
 * const tools = [glob, grep];
 * ```
 */
export const glob: Tool<GlobArguments, GlobData> = defineTool({
  id: "glob",
  description: [
    "Finds files by name with a pattern such as `src/**/*.{ts,tsx}` and returns their absolute paths, sorted.",
    "Returns at most 1,000; remaining is how many follow, and offset skips those you have.",
    "Skips files ignored by .gitignore, hidden files and files with secrets. To search contents, use grep.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: {
        type: "string",
        minLength: 1,
        description:
          "Matched against the path relative to the directory: * matches within one name, ** across directories, ? one character, [a-z] one of a set, {a,b} either.",
      },
      path: {
        type: "string",
        minLength: 1,
        description: "Directory to search. Default: the workspace root.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        description: "Maximum number of files. Default: 1,000.",
      },
      offset: { type: "integer", minimum: 0, description: "Number of files to skip. Default: 0." },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      files: { type: "array", items: { type: "string" }, description: "Absolute paths." },
      remaining: { type: "integer", description: "How many more match after these." },
    },
    required: ["files", "remaining"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"] } },
  kind: "search",
  source: "builtin",
  execution: {
    resourceKeys: ({ path = "." }) => [{ key: path, mode: "read", tree: true }],
  },
  maxOutput: { entries: maxShown, field: "files" },
  execute: async ({ pattern, path = ".", limit, offset = 0 }, { fs, settings, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was searched.");
    const asked = limit ?? (settings.files as number | undefined) ?? maxKept;
    const found = await fs.findFiles({ directory: path, pattern, limit: asked, offset });
    const shown = Math.min(found.files.length, maxShown);
    return {
      files: [...found.files],
      remaining: Math.max(0, found.total - offset - shown),
    };
  },
});
