import { defineTool, type Tool, ToolError } from "@haft/contract";
import { suggestPath } from "../paths/suggest-path.ts";

/** The arguments of `delete_file`. */
export interface DeleteFileArguments {
  path: string;
}

/** The result of `delete_file`. */
export interface DeleteFileData {
  path: string;
  message: string;
}

/**
 * The `delete_file` tool: deletes a file. `undo_edit` restores it.
 *
 * @example
 * ```ts
 * import { deleteFile, undoEdit } from "@haft/tools";
 *
 * const tools = [deleteFile, undoEdit];
 * ```
 */
export const deleteFile: Tool<DeleteFileArguments, DeleteFileData> = defineTool({
  id: "delete_file",
  description: "Deletes one file, an empty directory, or a link but not its target.",
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The path.",
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute." },
      message: { type: "string" },
    },
    required: ["path", "message"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "delete",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write", entry: true }] },
  execute: async (args, runtime) => {
    const { fs, signal } = runtime;
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was deleted.");
    const path = fs.resolve(args.path);
    await fs.remove(path).catch(async (error: unknown) => {
      throw await suggestPath(error, runtime);
    });
    return { path, message: `Deleted ${path}.` };
  },
});
