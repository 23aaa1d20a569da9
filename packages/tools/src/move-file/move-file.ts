import { defineTool, type FileSystem, type Tool, ToolError } from "@haft/contract";
import { suggestPath } from "../paths/suggest-path.ts";

/** The arguments of `move_file`. */
export interface MoveFileArguments {
  from: string;
  to: string;
}

/** The result of `move_file`. */
export interface MoveFileData {
  from: string;
  to: string;
  message: string;
}

/**
 * The `move_file` tool: moves or renames a file.
 *
 * @example
 * ```ts
 * import { moveFile, undoEdit } from "@haft/tools";
 *
 * const tools = [moveFile, undoEdit];
 * ```
 */
export const moveFile: Tool<MoveFileArguments, MoveFileData> = defineTool({
  id: "move_file",
  description: [
    "Moves or renames one file and creates missing directories. Nothing may exist at the new path.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      from: {
        type: "string",
        minLength: 1,
        description: "Its path.",
      },
      to: {
        type: "string",
        minLength: 1,
        description: "New path, file name included.",
      },
    },
    required: ["from", "to"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      from: { type: "string", description: "Absolute." },
      to: { type: "string", description: "Absolute." },
      message: { type: "string" },
    },
    required: ["from", "to", "message"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "move",
  source: "builtin",
  execution: {
    resourceKeys: ({ from, to }) => [
      { key: from, mode: "write", reads: true, entry: true },
      { key: to, mode: "write", entry: true },
    ],
  },
  execute: async (args, runtime) => {
    const { fs, signal } = runtime;
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was moved.");
    const from = fs.resolve(args.from);
    const to = fs.resolve(args.to);
    await move(from, to, fs).catch(async (error: unknown) => {
      throw await suggestPath(error, runtime);
    });
    return { from, to, message: `Moved ${from} to ${to}.` };
  },
});

async function move(from: string, to: string, fs: FileSystem): Promise<void> {
  const { kind } = await fs.stat(from);
  try {
    await fs.move(from, to);
  } catch (error) {
    // Create directories only if nothing else prevents the move.
    const parent = to.slice(0, to.lastIndexOf("/"));
    if (kind !== "file" || !isMissing(error) || (await isThere(parent, fs))) throw error;
    await fs.change([{ path: parent, to: { kind: "directory" }, expect: "absent", parents: true }]);
    await fs.move(from, to);
  }
}

async function isThere(path: string, fs: FileSystem): Promise<boolean> {
  try {
    await fs.stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return ToolError.isInstance(error) && error.code === "not-found";
}
