import { defineTool, type Runtime, type Tool, ToolError } from "@haft/contract";
import { drawTree } from "./draw-tree.ts";
import { type EntryPoint, findEntryPoints } from "./find-entry-points.ts";
import { countLanguages, type LanguageShare, type SizedFile } from "./languages.ts";

/** The arguments of `repo_overview`. */
export interface RepoOverviewArguments {
  path?: string;
  depth?: number;
}

/** The result of `repo_overview`. */
export interface RepoOverviewData {
  path: string;
  files: number;
  bytes?: number;
  languages: LanguageShare[];
  entry_points: EntryPoint[];
  content: string;
}

const maxFiles = 50_000;
const maxSized = 10_000;
const maxLanguages = 15;
const treeBytes = 8 * 1024;

/**
 * The `repo_overview` tool: summarizes a project by tree, languages, sizes and entry points.
 *
 * @example
 * ```ts
 * import { read, repoOverview } from "@haft/tools";
 *
 * const tools = [repoOverview, read];
 * ```
 */
export const repoOverview: Tool<RepoOverviewArguments, RepoOverviewData> = defineTool({
  id: "repo_overview",
  description: [
    "Summarizes a project or directory: tree with file counts, languages with sizes, and entry points.",
    "Use it first in an unknown project.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "Directory. Default: the workspace.",
      },
      depth: {
        type: "integer",
        minimum: 1,
        maximum: 10,
        description: "Levels of the tree. Default: 3.",
      },
    },
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute." },
      files: { type: "integer", description: "Total number of files." },
      bytes: { type: "integer", description: "Total size, if there are not too many." },
      languages: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            files: { type: "integer" },
            bytes: { type: "integer" },
          },
          required: ["name", "files"],
        },
      },
      entry_points: {
        type: "array",
        items: {
          type: "object",
          properties: { path: { type: "string" }, about: { type: "string" } },
          required: ["path", "about"],
        },
      },
      content: { type: "string", description: "The whole summary as text, with the tree." },
    },
    required: ["path", "files", "languages", "entry_points", "content"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"] } },
  kind: "search",
  source: "builtin",
  execution: {
    resourceKeys: ({ path = "." }) => [{ key: path, mode: "read", tree: true }],
  },
  execute: async ({ path: asked = ".", depth = 3 }, runtime) => {
    const { fs } = runtime;
    requireGoing(runtime);
    const path = fs.resolve(asked);
    const found = await fs.findFiles({ directory: path, pattern: "**/*", limit: maxFiles });
    const prefix = path === "/" ? 1 : path.length + 1;
    const paths = found.files.map((file) => file.slice(prefix));
    const sized = await measure(found.files, runtime);
    const languages = countLanguages(sized).slice(0, maxLanguages);
    const entry_points = await findEntryPoints(path, paths, fs);
    const data: RepoOverviewData = {
      path,
      files: found.total,
      ...(sized.length <= maxSized ? { bytes: sumSizes(sized) } : {}),
      languages,
      entry_points,
      content: "",
    };
    const tree = drawTree(paths, { depth, bytes: treeBytes });
    data.content = describe(data, { tree, seen: paths.length });
    return data;
  },
});

// With very many files, reading each size would take too long.
async function measure(files: readonly string[], runtime: Runtime): Promise<SizedFile[]> {
  if (files.length > maxSized) return files.map((path) => ({ path, size: undefined }));
  const sized: SizedFile[] = [];
  for (let at = 0; at < files.length; at += 500) {
    requireGoing(runtime);
    const some = files.slice(at, at + 500).map(async (path): Promise<SizedFile> => {
      try {
        return { path, size: (await runtime.fs.stat(path)).size };
      } catch (error) {
        // Deleted in the meantime.
        if (ToolError.isInstance(error)) return { path, size: undefined };
        throw error;
      }
    });
    sized.push(...(await Promise.all(some)));
  }
  return sized;
}

function requireGoing({ signal }: Runtime): void {
  if (signal.aborted) throw new ToolError("cancelled", "Cancelled while reading the project.");
}

function sumSizes(files: readonly SizedFile[]): number {
  return files.reduce((sum, { size = 0 }) => sum + size, 0);
}

function describe(
  { path, files, bytes, languages, entry_points }: RepoOverviewData,
  { tree, seen }: { readonly tree: string; readonly seen: number },
): string {
  const size = bytes === undefined ? "" : `, ${formatBytes(bytes)}`;
  const partly = seen < files ? ` Only the first ${seen} were analyzed.` : "";
  return [
    `${path}: ${files} files${size}.${partly}`,
    "",
    "Languages:",
    ...languages.map((share) => `  ${share.name}: ${describeShare(share)}`),
    "",
    "Entry points:",
    ...entry_points.map((entry) => `  ${entry.path}: ${entry.about}`),
    "",
    "Tree:",
    tree,
  ].join("\n");
}

function describeShare({ files, bytes }: LanguageShare): string {
  const count = files === 1 ? "1 file" : `${files} files`;
  return bytes === undefined ? count : `${count}, ${formatBytes(bytes)}`;
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
