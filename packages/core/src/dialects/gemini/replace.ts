import type { DialectAlias } from "../dialect.ts";
import { describeGuidance } from "../shared/describe-guidance.ts";
import { filePath } from "../shared/file-path.ts";
import { givenCount } from "../shared/given.ts";
import { inWords } from "../shared/words.ts";
import { words } from "./words.ts";

/** `replace`: replaces text in a file. */
export const replace: DialectAlias = {
  name: "replace",
  tool: "edit",
  description: [
    "Replaces a piece of text in an existing file and shows what changed.",
    "old_string must be in the file exactly once, to the letter; take in lines around it to make it so, or set allow_multiple to replace it everywhere.",
    "Does not make files: use write_file.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      file_path: filePath,
      instruction: { type: "string", description: "What the change is for." },
      old_string: { type: "string", description: "The text to replace." },
      new_string: { type: "string", description: "What comes in its place." },
      allow_multiple: { type: "boolean", description: "Replace every such place." },
    },
    required: ["file_path", "old_string", "new_string"],
  },
  toArguments: ({ file_path: path, old_string, new_string, ...given }) => ({
    path,
    old_string,
    new_string,
    replace_all: given.allow_multiple === true || expected(given.expected_replacements) > 1,
  }),
  toData: (data, _args, { given }) => {
    const { path, diff, replacements, message, guidance } = data as EditData;
    const wanted = expected(given.expected_replacements);
    return [
      `The file ${path} was changed: ${replacements} ${replacements === 1 ? "replacement" : "replacements"}.`,
      ...(wanted > 1 && wanted !== replacements ? [`Expected were ${wanted}.`] : []),
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

// What it was called before, when it was a number.
function expected(given: unknown): number {
  return givenCount(given, 1) ?? 1;
}
