import { defineTool, type Tool } from "@haft/contract";
import { findNewGuidance } from "../paths/find-new-guidance.ts";
import { editAliases } from "./edit-aliases.ts";
import type { EditArguments } from "./edit-arguments.ts";
import { editFile } from "./edit-file.ts";
import type { EditStrategy } from "./ladder.ts";
import { howItMatched } from "./plan-edit.ts";

export type { EditArguments } from "./edit-arguments.ts";

/** What `edit` did. */
export interface EditData {
  path: string;
  diff: string;
  line_range: [first: number, last: number];
  replacements: number;
  strategy: EditStrategy;
  /** Unless it is UTF-8. */
  encoding?: string;
  message?: string;
  /** What this session was not told by an edit before. */
  guidance?: string[];
}

/** Replaces one piece of text in a file, or every one like it. */
export const edit: Tool<EditArguments, EditData> = defineTool({
  id: "edit",
  description: [
    "Replaces a piece of text in an existing file; everything else stays as it is, down to encoding and line endings.",
    "old_string must be in the file exactly once: copy it from what you read, without line numbers, with enough lines around it.",
    "If it differs only in line endings, space at line ends, look-alike characters, indentation of all lines, escaping or blank lines around, the one such place is taken, and strategy says so: then check the diff. Nothing is guessed beyond that.",
    "new_string is taken literally. Does not create files: use write. For several changes in one file, use multi_edit.",
    "guidance names files with instructions for this place: read those you don't know.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The file: absolute, or relative to the workspace root.",
      },
      old_string: { type: "string", description: "The text to replace." },
      new_string: { type: "string", description: "What comes in its place; empty to delete." },
      replace_all: { type: "boolean", description: "Replace every such place; false if left out." },
    },
    required: ["path", "old_string", "new_string"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "In full." },
      diff: { type: "string", description: "Unified, as git shows it." },
      line_range: {
        type: "array",
        items: { type: "integer" },
        minItems: 2,
        maxItems: 2,
        description: "The first and last line that changed, as the file is now.",
      },
      replacements: { type: "integer" },
      strategy: { enum: Object.keys(howItMatched), description: "How the place was found." },
      encoding: { type: "string", description: "Given unless it is UTF-8." },
      message: { type: "string" },
      guidance: {
        type: "array",
        items: { type: "string" },
        description:
          "Files with instructions for this place, the nearest last; each is named once.",
      },
    },
    required: ["path", "diff", "line_range", "replacements", "strategy"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "edit",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write" }] },
  maxOutput: { bytes: 100 * 1024, field: "diff" },
  aliases: editAliases,
  execute: async ({ path, ...request }, runtime) => {
    const edited = await editFile({ path, edits: [request] }, runtime);
    const [{ strategy, replacements }] = edited.steps as [(typeof edited.steps)[0]];
    const data: EditData = {
      path: edited.path,
      diff: edited.diff,
      line_range: [...edited.lineRange],
      replacements,
      strategy,
    };
    if (edited.encoding !== undefined) data.encoding = edited.encoding;
    if (strategy !== "exact") data.message = `Matched ${howItMatched[strategy]}: check the diff.`;
    const guidance = await findNewGuidance([edited.path], runtime);
    if (guidance.length > 0) data.guidance = guidance;
    return data;
  },
});
