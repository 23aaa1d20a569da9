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

/** What `multi_edit` did. */
export interface MultiEditData {
  path: string;
  diff: string;
  line_range: [first: number, last: number];
  edits: {
    strategy: EditStrategy;
    replacements: number;
    /** As the text was after this edit. */
    line_range: [first: number, last: number];
  }[];
  /** Unless it is UTF-8. */
  encoding?: string;
  message?: string;
  /** What this session was not told by an edit before. */
  guidance?: string[];
}

/** Makes several replacements in one file, all or none. */
export const multiEdit: Tool<MultiEditArguments, MultiEditData> = defineTool({
  id: "multi_edit",
  description: [
    "Makes several replacements in one existing file, in the order given, each on the result of the one before: all of them, or none if one fails.",
    "Each finds its place as edit does: old_string must be there exactly once when its turn comes, or set replace_all.",
    "Does not create files, and does not reach into other files: use apply_patch for those.",
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
      edits: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            old_string: { type: "string", description: "The text to replace." },
            new_string: {
              type: "string",
              description: "What comes in its place; empty to delete.",
            },
            replace_all: {
              type: "boolean",
              description: "Replace every such place; false if left out.",
            },
          },
          required: ["old_string", "new_string"],
          additionalProperties: false,
        },
        description: "The replacements, in order.",
      },
    },
    required: ["path", "edits"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "In full." },
      diff: { type: "string", description: "Of all edits together, as git shows it." },
      line_range: {
        type: "array",
        items: { type: "integer" },
        minItems: 2,
        maxItems: 2,
        description: "The first and last line that changed, as the file is now.",
      },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: {
            strategy: { enum: Object.keys(howItMatched), description: "How the place was found." },
            replacements: { type: "integer" },
            line_range: {
              type: "array",
              items: { type: "integer" },
              minItems: 2,
              maxItems: 2,
              description: "As the text was after this edit.",
            },
          },
          required: ["strategy", "replacements", "line_range"],
          additionalProperties: false,
        },
      },
      encoding: { type: "string", description: "Given unless it is UTF-8." },
      message: { type: "string" },
      guidance: {
        type: "array",
        items: { type: "string" },
        description:
          "Files with instructions for this place, the nearest last; each is named once.",
      },
    },
    required: ["path", "diff", "line_range", "edits"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "edit",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write" }] },
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
    if (inexact.length > 0) data.message = `Matched ${inexact.join(", ")}: check the diff.`;
    const guidance = await findNewGuidance([path], runtime);
    if (guidance.length > 0) data.guidance = guidance;
    return data;
  },
});
