import type { DialectAlias } from "../dialect.ts";
import {
  describeGuidance,
  describeReading,
  filePath,
  parseNumberedLines,
  type ReadData,
  writeAlias,
} from "../shared/files.ts";
import { type Given, givenCount, leaveOut } from "../shared/given.ts";

const current: DialectAlias = {
  name: "read_file",
  tool: "read",
  description: [
    "Reads a text file or an image (PNG, JPEG, GIF, WebP).",
    "Returns up to 2,000 lines of text, unchanged. If there are more, a remark before the text names the line to continue with.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      file_path: filePath,
      start_line: {
        type: "number",
        description: "Number of the first line to return, counted from 1. Default: 1.",
      },
      end_line: {
        type: "number",
        description: "Number of the last line to return. Default: as many lines as fit.",
      },
    },
    required: ["file_path"],
  },
  settings: { past_end: "empty" },
  toArguments: (given) => ({ path: given.file_path, ...toLines(given) }),
  toData: (data) => {
    const found = data as ReadData;
    if (found.type === "image") return found;
    const text =
      found.type === "directory"
        ? found.content
        : parseNumberedLines(found.content)
            .map((line) => line.text)
            .join("\n");
    const remarks = describeReading(found, (line) => `Continue with start_line ${line}.`);
    if (remarks.length === 0) return text || `[${found.path} has no lines in this range.]`;
    return `${remarks.map((remark) => `[${remark}]`).join("\n")}\n\n${text}`;
  },
};

/** `read_file`: unchanged lines or an image, also with its older parameters. */
export const readFile: readonly DialectAlias[] = [
  current,
  {
    ...current,
    hidden: true,
    parameters: {
      type: "object",
      properties: {
        absolute_path: { type: "string", minLength: 1, description: "Path of the file." },
        offset: { type: "number", description: "Number of lines to skip." },
        limit: { type: "number", description: "Maximum number of lines." },
      },
      required: ["absolute_path"],
    },
    toArguments: (given) => ({ path: given.absolute_path, ...toLines(given) }),
  },
];

function toLines(given: Given): { offset?: number; limit?: number } {
  const passed = givenCount(given.offset, 0);
  const first = givenCount(given.start_line, 1) ?? (passed === undefined ? undefined : passed + 1);
  const last = givenCount(given.end_line, 1);
  const limit =
    last === undefined ? givenCount(given.limit, 1) : Math.max(1, last - (first ?? 1) + 1);
  return leaveOut({ offset: first, limit }) as { offset?: number; limit?: number };
}

/** `list_directory`: lists a directory. */
export const listDirectory: DialectAlias = {
  name: "list_directory",
  tool: "read",
  description: "Lists the names in a directory. Directories are marked with [DIR].",
  parameters: {
    type: "object",
    properties: {
      dir_path: {
        type: "string",
        minLength: 1,
        description: "Path of the directory, absolute or relative to the workspace root.",
      },
    },
    required: ["dir_path"],
  },
  toArguments: ({ dir_path: path }) => ({ path }),
  toData: (data) => {
    const found = data as ReadData;
    if (found.type !== "directory") return `${found.path} is not a directory. Use read_file.`;
    if (found.content === "") return `The directory ${found.path} is empty.`;
    const names = found.content.split("\n").map((name) => name.replace(/^(.*)\/$/u, "[DIR] $1"));
    const remarks = describeReading(found, () => "The rest is not shown. Use glob.");
    return [
      `In the directory ${found.path}:`,
      ...names,
      ...remarks.map((remark) => `[${remark}]`),
    ].join("\n");
  },
};

/** `write_file`: creates or overwrites a file. */
export const writeFile: DialectAlias = writeAlias("write_file", "replace");

/** `replace`: replaces text in a file. */
export const replace: DialectAlias = {
  name: "replace",
  tool: "edit",
  description: [
    "Replaces text in an existing file and returns the diff.",
    "old_string must match the file exactly and occur once. Include surrounding lines to make it unique, or set allow_multiple to replace all occurrences.",
    "Does not create files: use write_file.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      file_path: filePath,
      instruction: { type: "string", description: "The purpose of the change." },
      old_string: { type: "string", description: "The text to replace." },
      new_string: { type: "string", description: "The replacement text." },
      allow_multiple: { type: "boolean", description: "Replace all occurrences. Default: false." },
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
      ...(wanted > 1 && wanted !== replacements ? [`${wanted} were expected.`] : []),
      ...(message === undefined ? [] : [message]),
      ...describeGuidance(guidance),
      diff,
    ].join("\n");
  },
  toErrorText: ({ message }) => message.replaceAll("set replace_all", "set allow_multiple"),
};

interface EditData {
  readonly path: string;
  readonly diff: string;
  readonly replacements: number;
  readonly message?: string;
  readonly guidance?: readonly string[];
}

// The older parameter, which was a number.
function expected(given: unknown): number {
  return givenCount(given, 1) ?? 1;
}
