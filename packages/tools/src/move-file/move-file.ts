import { defineTool, type FileSystem, type Tool, ToolError } from "@haft/contract";

/** The arguments of `move_file`. */
export interface MoveFileArguments {
  from: string;
  to: string;
}

/** What `move_file` did. */
export interface MoveFileData {
  from: string;
  to: string;
  message: string;
}

/** Moves or renames a file. */
export const moveFile: Tool<MoveFileArguments, MoveFileData> = defineTool({
  id: "move_file",
  description: [
    "Moves or renames one file, and makes missing directories on the way to its new place.",
    "Does not overwrite: to must be the whole new path, and nothing may be there yet.",
    "Does not move directories. undo_edit moves the file back.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      from: {
        type: "string",
        minLength: 1,
        description: "The file: absolute, or relative to the workspace root.",
      },
      to: {
        type: "string",
        minLength: 1,
        description: "Its new path with its new name, absolute or relative likewise.",
      },
    },
    required: ["from", "to"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      from: { type: "string", description: "In full." },
      to: { type: "string", description: "In full." },
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
      { key: from, mode: "write" },
      { key: to, mode: "write" },
    ],
  },
  execute: async (args, { fs, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Moved nothing: aborted.");
    const from = fs.resolve(args.from);
    const to = fs.resolve(args.to);
    await move(from, to, fs);
    return { from, to, message: `Moved ${from} to ${to}.` };
  },
});

async function move(from: string, to: string, fs: FileSystem): Promise<void> {
  const { kind } = await fs.stat(from);
  try {
    await fs.move(from, to);
  } catch (error) {
    // Directories are made only for a move that nothing else stands against.
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
