import type { ToolAlias } from "@haft/contract";
import type { EditArguments } from "./edit-arguments.ts";

/** Aliases of `edit`. */
export const editAliases: readonly ToolAlias<EditArguments>[] = [
  {
    name: "edit_file",
    description:
      "Replace text in an existing file. old_str must occur exactly once, unless replace_all is set; if it differs in white space only, the single such match is used. Returns a git-style diff.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Absolute path to the file (MUST exist)" },
        old_str: { type: "string", description: "Text to search for. Must match exactly." },
        new_str: { type: "string", description: "Text to replace old_str with." },
        replace_all: {
          type: "boolean",
          default: false,
          description: "Replace all occurrences of old_str",
        },
      },
      required: ["path", "old_str", "new_str"],
    },
    toArguments: ({ path, old_str, new_str, replace_all }) => ({
      path: path as string,
      old_string: old_str as string,
      new_string: new_str as string,
      ...(replace_all === undefined ? {} : { replace_all: replace_all as boolean }),
    }),
  },
  { name: "Edit" },
];
