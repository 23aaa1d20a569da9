import { defineTool, type Tool } from "@haft/contract";
import { editFile } from "../edit/edit-file.ts";
import type { EditStrategy } from "../edit/ladder.ts";
import { howItMatched } from "../edit/plan-edit.ts";
import { findNewGuidance } from "../paths/find-new-guidance.ts";

/** The arguments of `multi_edit`. */
export interface MultiEditArguments {
  path: string;
  edits: { old_string: string; new_string: string; replace_all?: boolean }[];
}

/** The result of `multi_edit`. */
export interface MultiEditData {
  path: string;
  diff: string;
  line_range: [first: number, last: number];
  edits: {
    strategy: EditStrategy;
    replacements: number;
    /** In the text after this edit. */
    line_range: [first: number, last: number];
  }[];
  /** Present only if it is not UTF-8. */
  encoding?: string;
  message?: string;
  /** Instruction files that no earlier edit of this session has reported. */
  guidance?: string[];
}

/**
 * The `multi_edit` tool: makes several replacements in one file, all or none.
 *
 * @example
 * ```ts
 * import { multiEdit, read } from "@haft/tools";
 *
 * const tools = [read, multiEdit];
 * ```
 */
export const multiEdit: Tool<MultiEditArguments, MultiEditData> = defineTool({
  id: "multi_edit",
  description: [
    "Makes several replacements in one existing file, in order. If one fails, none is made.",
    "old_string must occur exactly once at that point, unless replace_all is set.",
    "To create files or change several, use `apply_patch`.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The path.",
      },
      edits: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            old_string: { type: "string" },
            new_string: { type: "string" },
            replace_all: { type: "boolean" },
          },
          required: ["old_string", "new_string"],
          additionalProperties: false,
        },
        description: "The edits.",
      },
    },
    required: ["path", "edits"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute." },
      diff: { type: "string", description: "Unified diff of all edits together." },
      line_range: {
        type: "array",
        items: { type: "integer" },
        minItems: 2,
        maxItems: 2,
        description: "First and last changed line of the new file.",
      },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: {
            strategy: {
              enum: Object.keys(howItMatched),
              description: "How old_string was matched.",
            },
            replacements: { type: "integer" },
            line_range: {
              type: "array",
              items: { type: "integer" },
              minItems: 2,
              maxItems: 2,
              description: "In the text after this edit.",
            },
          },
          required: ["strategy", "replacements", "line_range"],
          additionalProperties: false,
        },
      },
      encoding: { type: "string", description: "Only if not UTF-8." },
      message: { type: "string" },
      guidance: {
        type: "array",
        items: { type: "string" },
        description: "Instruction files for this path, nearest last, each listed once.",
      },
    },
    required: ["path", "diff", "line_range", "edits"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "edit",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write", reads: true }] },
  maxOutput: { bytes: 100 * 1024, field: "diff" },
  execute: async (args, runtime) => {
    const { path, diff, lineRange, encoding, steps } = await editFile(args, runtime);
    const data: MultiEditData = {
      path,
      diff,
      line_range: [...lineRange],
      edits: steps.map((step) => ({
        strategy: step.strategy,
        replacements: step.replacements,
        line_range: [...(step.lineRange ?? lineRange)],
      })),
    };
    if (encoding !== undefined) data.encoding = encoding;
    const inexact = steps.flatMap(({ strategy }, at) =>
      strategy === "exact" ? [] : [`edit ${at + 1} ${howItMatched[strategy]}`],
    );
    const matched = inexact.length === 0 ? [] : [`Matched ${inexact.join(", ")}: check the diff.`];
    const notes = steps.flatMap((step, at) => step.notes.map((note) => `Edit ${at + 1}: ${note}`));
    const message = [...matched, ...notes].join(" ");
    if (message !== "") data.message = message;
    const guidance = await findNewGuidance([path], runtime);
    if (guidance.length > 0) data.guidance = guidance;
    return data;
  },
});
