import { defineTool, type Tool, ToolError } from "@haft/contract";

/** The arguments of `glob`. */
export interface GlobArguments {
  pattern: string;
  path?: string;
  limit?: number;
  offset?: number;
}

/** The files that fit. */
export interface GlobData {
  files: string[];
  remaining: number;
}

const mostShown = 1_000;

// What is not shown is kept in a file, so it is worth having some more; ten times as many would
// cost as much as the search itself.
const mostKept = 2_000;

/** Finds files by name. */
export const glob: Tool<GlobArguments, GlobData> = defineTool({
  id: "glob",
  description: [
    "Finds files by name, with a pattern such as `src/**/*.{ts,tsx}`, and gives their absolute paths in the order of paths.",
    "Shows 1,000 at most; remaining tells how many follow, and offset goes on there.",
    "Leaves out what .gitignore names, hidden files and files with secrets. Does not look into files: grep does.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: {
        type: "string",
        minLength: 1,
        description:
          "Held against the path below the directory: * stays inside one name, ** crosses directories, ? is one character, [a-z] one of several, {a,b} either.",
      },
      path: {
        type: "string",
        minLength: 1,
        description: "The directory to look in; the workspace root if left out.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        description: "How many files to give; 1,000 if left out.",
      },
      offset: { type: "integer", minimum: 0, description: "How many files to pass over first." },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      files: { type: "array", items: { type: "string" }, description: "Absolute paths." },
      remaining: { type: "integer", description: "How many more fit, after those shown." },
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
  maxOutput: { entries: mostShown, field: "files" },
  execute: async ({ pattern, path = ".", limit, offset = 0 }, { fs, settings, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Searched nothing: aborted.");
    const asked = limit ?? (settings.files as number | undefined) ?? mostKept;
    const found = await fs.findFiles({ directory: path, pattern, limit: asked, offset });
    const shown = Math.min(found.files.length, mostShown);
    return {
      files: [...found.files],
      remaining: Math.max(0, found.total - offset - shown),
    };
  },
});
