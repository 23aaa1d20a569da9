import { defineTool, type Tool, ToolError } from "@haft/contract";

/** The arguments of `delete_file`. */
export interface DeleteFileArguments {
  path: string;
}

/** What `delete_file` did. */
export interface DeleteFileData {
  path: string;
  message: string;
}

/** Deletes a file so that it can be brought back. */
export const deleteFile: Tool<DeleteFileArguments, DeleteFileData> = defineTool({
  id: "delete_file",
  description: [
    "Deletes one file, or a directory that is empty.",
    "A link is deleted itself, not what it leads to. undo_edit brings the file back.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The file: absolute, or relative to the workspace root.",
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "In full." },
      message: { type: "string" },
    },
    required: ["path", "message"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "delete",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write" }] },
  execute: async (args, { fs, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Deleted nothing: aborted.");
    const path = fs.resolve(args.path);
    await fs.remove(path);
    return { path, message: `Deleted ${path}.` };
  },
});
