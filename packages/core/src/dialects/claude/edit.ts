import type { DialectAlias } from "../dialect.ts";
import { describeGuidance } from "../shared/describe-guidance.ts";
import { filePath } from "../shared/file-path.ts";
import { leaveOut } from "../shared/given.ts";
import { inWords } from "../shared/words.ts";
import { words } from "./words.ts";

/** `Edit`: replaces text in a file. */
export const edit: DialectAlias = {
  name: "Edit",
  tool: "edit",
  description: [
    "Replaces a piece of text in an existing file and shows what changed.",
    "old_string must be in the file exactly once, without the line numbers of Read; take in lines around it to make it so, or set replace_all.",
    "Does not make files: use Write.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      file_path: filePath,
      old_string: { type: "string", description: "The text to replace." },
      new_string: { type: "string", description: "What comes in its place." },
      replace_all: { type: "boolean", description: "Replace every such place." },
    },
    required: ["file_path", "old_string", "new_string"],
  },
  toArguments: ({ file_path: path, old_string, new_string, replace_all }) =>
    leaveOut({ path, old_string, new_string, replace_all }),
  toData: (data) => {
    const { path, diff, replacements, message, guidance } = data as EditData;
    const places = replacements === 1 ? "one place" : `${replacements} places`;
    return [
      `The file ${path} was changed in ${places}.`,
      ...(message === undefined ? [] : [message]),
      ...describeGuidance(guidance),
      diff,
    ].join("\n");
  },
  toErrorText: ({ message }) => inWords(message, words),
};

interface EditData {
  readonly path: string;
  readonly diff: string;
  readonly replacements: number;
  readonly message?: string;
  readonly guidance?: readonly string[];
}
