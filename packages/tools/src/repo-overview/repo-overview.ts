import { defineTool, type Runtime, type Tool, ToolError } from "@haft/contract";
import { drawTree } from "./draw-tree.ts";
import { type EntryPoint, findEntryPoints } from "./find-entry-points.ts";
import { countLanguages, type LanguageShare, type SizedFile } from "./languages.ts";

/** The arguments of `repo_overview`. */
export interface RepoOverviewArguments {
  path?: string;
  depth?: number;
}

/** What a project consists of. */
export interface RepoOverviewData {
  path: string;
  files: number;
  bytes?: number;
  languages: LanguageShare[];
  entry_points: EntryPoint[];
  content: string;
}

const mostFiles = 50_000;
const mostSized = 10_000;
const mostLanguages = 15;
const treeBytes = 8 * 1024;

/** Sums up a project: its tree, languages, sizes and entry points. */
export const repoOverview: Tool<RepoOverviewArguments, RepoOverviewData> = defineTool({
  id: "repo_overview",
  description: [
    "Sums up a project or directory in one page: the tree with counts of files, languages with sizes, and the files to begin with.",
    "Use it first in a project you don't know. Leaves out what .gitignore names; to list or find files use glob.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The directory; the workspace root if left out.",
      },
      depth: {
        type: "integer",
        minimum: 1,
        maximum: 10,
        description: "How many levels of the tree to show; 3 if left out. Less where it gets long.",
      },
    },
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "In full." },
      files: { type: "integer", description: "How many there are in all." },
      bytes: { type: "integer", description: "Their size, where there are not too many." },
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
      content: { type: "string", description: "All of it as text, with the tree." },
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
    const found = await fs.findFiles({ directory: path, pattern: "**/*", limit: mostFiles });
    const prefix = path === "/" ? 1 : path.length + 1;
    const paths = found.files.map((file) => file.slice(prefix));
    const sized = await measure(found.files, runtime);
    const languages = countLanguages(sized).slice(0, mostLanguages);
    const entry_points = await findEntryPoints(path, paths, fs);
    const data: RepoOverviewData = {
      path,
      files: found.total,
      ...(sized.length <= mostSized ? { bytes: sumSizes(sized) } : {}),
      languages,
      entry_points,
      content: "",
    };
    const tree = drawTree(paths, { depth, bytes: treeBytes });
    data.content = describe(data, { tree, seen: paths.length });
    return data;
  },
});

// Looking at each of very many files would take longer than the sizes are worth.
async function measure(files: readonly string[], runtime: Runtime): Promise<SizedFile[]> {
  if (files.length > mostSized) return files.map((path) => ({ path, size: undefined }));
  const sized: SizedFile[] = [];
  for (let at = 0; at < files.length; at += 500) {
    requireGoing(runtime);
    const some = files.slice(at, at + 500).map(async (path): Promise<SizedFile> => {
      try {
        return { path, size: (await runtime.fs.stat(path)).size };
      } catch (error) {
        // Gone meanwhile.
        if (ToolError.isInstance(error)) return { path, size: undefined };
        throw error;
      }
    });
    sized.push(...(await Promise.all(some)));
  }
  return sized;
}

function requireGoing({ signal }: Runtime): void {
  if (signal.aborted) throw new ToolError("cancelled", "Stopped looking: aborted.");
}

function sumSizes(files: readonly SizedFile[]): number {
  return files.reduce((sum, { size = 0 }) => sum + size, 0);
}

function describe(
  { path, files, bytes, languages, entry_points }: RepoOverviewData,
  { tree, seen }: { readonly tree: string; readonly seen: number },
): string {
  const size = bytes === undefined ? "" : `, ${formatBytes(bytes)}`;
  const partly = seen < files ? ` Only the first ${seen} were looked at.` : "";
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
