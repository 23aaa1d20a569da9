import type { ToolAlias } from "@haft/contract";
import type { WriteArguments } from "./write-arguments.ts";

/** Aliases of `write`. */
export const writeAliases: readonly ToolAlias<WriteArguments>[] = [
  {
    name: "create_file",
    description:
      "Create a file with this content, or overwrite an existing one. Creates missing directories, and adds a missing line break at the end.",
    parameters: {
      type: "object",
      properties: {
        path: {
          type: "string",
          description: "Absolute path of file to create. If exists, will be overwritten.",
        },
        content: { type: "string", description: "The content for the file." },
      },
      required: ["path", "content"],
    },
    toArguments: ({ path, content }) => ({ path: path as string, content: content as string }),
  },
  { name: "Write" },
  { name: "write_file" },
];
