import type { DialectAlias } from "../dialect.ts";
import {
  describeGuidance,
  describeReading,
  filePath,
  parseNumberedLines,
  type ReadData,
  writeAlias,
} from "../shared/files.ts";
import { givenCount, leaveOut } from "../shared/given.ts";

/** `Read`: lines numbered like `cat -n`, an image or a directory listing. */
export const read: DialectAlias = {
  name: "Read",
  tool: "read",
  description: [
    "Reads a text file, an image (PNG, JPEG, GIF, WebP) or lists a directory.",
    "Text is returned in the format of `cat -n`: line number, tab, line. Only what follows the tab is part of the file.",
    "By default it returns the first 2,000 lines; use offset and limit for others. Read a file before you change it.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      file_path: filePath,
      offset: {
        type: "number",
        description: "Number of the first line to return, counted from 1. Default: 1.",
      },
      limit: { type: "number", description: "Maximum number of lines. Default: 2,000." },
    },
    required: ["file_path"],
  },
  settings: { past_end: "empty" },
  toArguments: ({ file_path, offset, limit }) =>
    leaveOut({ path: file_path, offset: givenCount(offset, 1), limit: givenCount(limit, 1) }),
  toData: (data) => {
    const found = data as ReadData;
    if (found.type === "image") return found;
    const remarks = describeReading(found, (line) => `Continue with offset ${line}.`);
    const lines = found.type === "directory" ? found.content : numberAsCat(found.content);
    return [lines || explainNothing(found), ...remarks.map((remark) => `[${remark}]`)].join("\n");
  },
};

function numberAsCat(content: string): string {
  return parseNumberedLines(content)
    .map(({ number, text }) => `${number.padStart(6)}\t${text}`)
    .join("\n");
}

function explainNothing({ path, type, total_lines: total = 0 }: ReadData): string {
  if (type === "directory") return `[${path} is an empty directory.]`;
  return total === 0
    ? `[${path} is empty.]`
    : `[${path} has ${total} lines, so nothing is at this offset.]`;
}

/** `Edit`: replaces text in a file. */
export const edit: DialectAlias = {
  name: "Edit",
  tool: "edit",
  description: [
    "Replaces text in an existing file and returns the diff.",
    "old_string must occur exactly once in the file, without the line numbers of Read. Include surrounding lines to make it unique, or set replace_all.",
    "Does not create files: use Write.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      file_path: filePath,
      old_string: { type: "string", description: "The text to replace." },
      new_string: { type: "string", description: "The replacement text." },
      replace_all: { type: "boolean", description: "Replace all occurrences. Default: false." },
    },
    required: ["file_path", "old_string", "new_string"],
  },
  toArguments: ({ file_path: path, old_string, new_string, replace_all }) =>
    leaveOut({ path, old_string, new_string, replace_all }),
  toData: (data) => {
    const { path, diff, replacements, message, guidance } = data as EditData;
    const places = replacements === 1 ? "1 place" : `${replacements} places`;
    return [
      `The file ${path} was changed in ${places}.`,
      ...(message === undefined ? [] : [message]),
      ...describeGuidance(guidance),
      diff,
    ].join("\n");
  },
};

interface EditData {
  readonly path: string;
  readonly diff: string;
  readonly replacements: number;
  readonly message?: string;
  readonly guidance?: readonly string[];
}

/** `Write`: creates or overwrites a file. */
export const write: DialectAlias = writeAlias("Write", "Edit");
