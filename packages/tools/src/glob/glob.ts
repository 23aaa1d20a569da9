import { defineTool, type FileSystem, type Runtime, type Tool, ToolError } from "@haft/contract";
import { countFitting } from "@haft/contract/internal";
import { readGlob } from "../text/read-search.ts";

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
  /** How the pattern was read, why nothing matches, or that not all files were kept. */
  message?: string;
}

const maxShown = 1_000;

// Files beyond the shown ones go to the sidecar.
const maxKept = 100_000;

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
    "Finds files by name and returns their absolute paths, sorted.",
    "Skips hidden files, files with secrets, and what .gitignore excludes. To search contents, use `grep`.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: {
        type: "string",
        minLength: 1,
        description: "Such as `src/**/*.{ts,tsx}`, relative to path; also ? and [a-z].",
      },
      path: {
        type: "string",
        minLength: 1,
        description: "Directory. Default: the workspace.",
      },
      limit: {
        type: "integer",
        minimum: 0,
        description: "Default: 1,000.",
      },
      offset: { type: "integer", minimum: 0, description: "Files to skip." },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      files: { type: "array", items: { type: "string" }, description: "Absolute paths." },
      remaining: { type: "integer", description: "How many more match after these." },
      message: { type: "string" },
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
    const asked = Math.min(limit ?? (settings as GlobSettings).files ?? maxKept, maxKept);
    const find = async (wanted: string): Promise<GlobData> => {
      const found = await fs.findFiles({ directory: path, pattern: wanted, limit: asked, offset });
      const files = [...found.files];
      const shown = countShown(files, settings);
      const remaining = Math.max(0, found.total - offset - shown);
      if (files.length < maxKept || remaining === maxKept - shown) return { files, remaining };
      const message = `Only the first ${maxKept} of these files were kept. Narrow the pattern or path, or set offset.`;
      return { files, remaining, message };
    };
    const data = await find(pattern);
    if (data.files.length > 0 || offset > 0) return data;
    const plain = readGlob(pattern);
    const other = plain === pattern ? data : await find(plain);
    if (other.files.length > 0) {
      const note = `Nothing matches ${pattern}; it was read as ${plain}.`;
      return { ...other, message: [note, other.message].filter(Boolean).join(" ") };
    }
    const message = await explainNothing({ pattern: plain, path }, fs);
    return message === undefined ? data : { ...data, message };
  },
});

// The session cuts the list to the same number.
function countShown(files: readonly string[], settings: Runtime["settings"]): number {
  const { files: asked, max_bytes: bytes, max_lines: lines } = settings as GlobSettings;
  if (asked !== undefined || bytes === undefined) return Math.min(files.length, maxShown);
  return countFitting(files.slice(0, maxShown), { bytes, lines });
}

/** Limits of a dialect or a call. */
interface GlobSettings {
  readonly files?: number;
  readonly max_bytes?: number;
  readonly max_lines?: number;
}

/** Says where files are that a pattern may mean: in directories below, or hidden. */
async function explainNothing(
  { pattern, path }: { readonly pattern: string; readonly path: string },
  fs: FileSystem,
): Promise<string | undefined> {
  const name = pattern.replace(/^\*\*\//u, "");
  if (/[/{]/u.test(name)) return undefined;
  const count = async (wanted: string): Promise<number> =>
    (await fs.findFiles({ directory: path, pattern: wanted, limit: 1 })).total;
  const show = (files: number): string => (files === 1 ? "1 file" : `${files} files`);
  const deep = name === pattern ? await count(`**/${name}`) : 0;
  if (deep > 0) {
    return `No file matches directly in ${path}; **/${name} matches ${show(deep)}.`;
  }
  const hidden = `{.*/**/${name},.${name}}`;
  const found = name.startsWith(".") ? 0 : await count(hidden);
  if (found === 0) return undefined;
  return `Hidden files are left out unless the pattern names them; ${hidden} matches ${show(found)}.`;
}
