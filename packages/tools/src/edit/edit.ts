import { defineTool, type Tool } from "@haft/contract";
import { findNewGuidance } from "../paths/find-new-guidance.ts";
import { editAliases } from "./edit-aliases.ts";
import type { EditArguments } from "./edit-arguments.ts";
import { editFile } from "./edit-file.ts";
import type { EditStrategy } from "./ladder.ts";
import { howItMatched } from "./plan-edit.ts";

export type { EditArguments } from "./edit-arguments.ts";

/** The result of `edit`. */
export interface EditData {
  path: string;
  diff: string;
  line_range: [first: number, last: number];
  replacements: number;
  strategy: EditStrategy;
  /** Present only if it is not UTF-8. */
  encoding?: string;
  message?: string;
  /** Instruction files that no earlier edit of this session has reported. */
  guidance?: string[];
}

/**
 * The `edit` tool: replaces one piece of text in a file, or every occurrence of it.
 *
 * @example
 * ```ts
 * import { edit, read } from "@haft/tools";
 *
 * const tools = [read, edit];
 * ```
 */
export const edit: Tool<EditArguments, EditData> = defineTool({
  id: "edit",
  description: [
    "Replaces text in an existing file.",
    "old_string must occur exactly once: copy it from what you read, without line numbers, with enough surrounding lines.",
    "If only whitespace, escaping, look-alike characters or the formatting of kept lines differ, a single match is used and strategy says so: check the diff.",
    "To create files, use `write`. For several changes in one file, use `multi_edit`.",
    "Read the files that guidance names.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The path.",
      },
      old_string: { type: "string", description: "Text to replace." },
      new_string: { type: "string", description: "Literal replacement; empty to delete." },
      replace_all: { type: "boolean", description: "Default: false." },
    },
    required: ["path", "old_string", "new_string"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute." },
      diff: { type: "string", description: "Unified diff." },
      line_range: {
        type: "array",
        items: { type: "integer" },
        minItems: 2,
        maxItems: 2,
        description: "First and last changed line of the new file.",
      },
      replacements: { type: "integer" },
      strategy: { enum: Object.keys(howItMatched), description: "How old_string was matched." },
      encoding: { type: "string", description: "Only if not UTF-8." },
      message: { type: "string" },
      guidance: {
        type: "array",
        items: { type: "string" },
        description: "Instruction files for this path, nearest last, each listed once.",
      },
    },
    required: ["path", "diff", "line_range", "replacements", "strategy"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "edit",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write", reads: true }] },
  maxOutput: { bytes: 100 * 1024, field: "diff" },
  aliases: editAliases,
  execute: async ({ path, ...request }, runtime) => {
    const edited = await editFile({ path, edits: [request] }, runtime);
    const [{ strategy, replacements, notes }] = edited.steps as [(typeof edited.steps)[0]];
    const data: EditData = {
      path: edited.path,
      diff: edited.diff,
      line_range: [...edited.lineRange],
      replacements,
      strategy,
    };
    if (edited.encoding !== undefined) data.encoding = edited.encoding;
    const matched =
      strategy === "exact" ? [] : [`Matched ${howItMatched[strategy]}: check the diff.`];
    const message = [...matched, ...notes].join(" ");
    if (message !== "") data.message = message;
    const guidance = await findNewGuidance([edited.path], runtime);
    if (guidance.length > 0) data.guidance = guidance;
    return data;
  },
});
