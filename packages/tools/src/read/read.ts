import { defineTool, type Runtime, type Tool, ToolError } from "@haft/contract";
import { listEntries } from "./list-entries.ts";
import { readAliases } from "./read-aliases.ts";
import type { ReadArguments } from "./read-arguments.ts";
import { readBytes } from "./read-bytes.ts";
import { mostShownBytes, type ReadData } from "./read-data.ts";
import { mostImageBytes } from "./read-image.ts";
import { readLines } from "./read-lines.ts";
import { toReadSettings } from "./read-settings.ts";

/** Reads a text file by lines or bytes, shows an image, or lists a directory. */
export const read: Tool<ReadArguments, ReadData> = defineTool({
  id: "read",
  description: [
    "Reads a text file, shows an image (PNG, JPEG, GIF or WebP up to 5 MB), or lists a directory; read a file before you edit it.",
    "A file comes as numbered lines (`12: text`), from the first and up to 2,000 unless offset and limit say otherwise; next_offset tells where to go on.",
    "A line is clipped after 2,000 characters; to see all of it, read raw text with byte_offset and byte_limit.",
    "Shows at most 200 KB of text a call. Does not show other binary files, and does not search: use grep for that.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The file or directory: absolute, or relative to the workspace root.",
      },
      offset: {
        type: "integer",
        minimum: 1,
        description: "The first line to show, counted from 1. Not together with byte_offset.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        description: "How many lines to show; 2,000 if left out.",
      },
      byte_offset: {
        type: "integer",
        minimum: 0,
        description: "The first byte to show, counted from 0, for raw text without line numbers.",
      },
      byte_limit: {
        type: "integer",
        // With fewer, a window might not get past one long character.
        minimum: 4,
        description: "How many bytes to show; 204,800 if left out, which is also the most.",
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "In full." },
      type: { enum: ["file", "directory", "image"] },
      content: {
        type: "string",
        description: "Numbered lines, raw text, names, or what image it is.",
      },
      start_line: { type: "integer" },
      end_line: { type: "integer", description: "The last line shown." },
      total_lines: { type: "integer", description: "Given where the end was reached." },
      next_offset: { type: "integer", description: "More follows; the offset to go on with." },
      start_byte: { type: "integer" },
      end_byte: { type: "integer", description: "The byte_offset to go on with." },
      size: { type: "integer", description: "The bytes of the whole file." },
      encoding: { type: "string", description: "Given where it is not UTF-8." },
      media_type: { type: "string", description: "Of an image." },
      data: { type: "string", description: "The image in base64." },
      width: { type: "integer", description: "In pixels." },
      height: { type: "integer", description: "In pixels." },
    },
    required: ["path", "type", "content"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"] } },
  kind: "read",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "read" }] },
  // Text keeps to its own limit; an image is larger, and base64 makes it a third larger still.
  maxOutput: { bytes: Math.ceil(mostImageBytes * 1.5) },
  aliases: readAliases,
  execute: async (args, runtime) => {
    const path = runtime.fs.resolve(args.path);
    const { offset = 1, byte_offset, byte_limit } = args;
    const settings = toReadSettings(runtime.settings);
    const hasRange = args.offset !== undefined || args.limit !== undefined;
    const byBytes = byte_offset !== undefined || byte_limit !== undefined;
    if (byBytes && hasRange) {
      throw new ToolError(
        "invalid-arguments",
        "offset and limit count lines, byte_offset and byte_limit bytes: give one pair or the other.",
      );
    }
    const range = { path, offset: byte_offset ?? 0, limit: byte_limit ?? mostShownBytes, settings };
    const limit = Math.min(args.limit ?? settings.defaultLines, settings.mostLines);
    try {
      if (byBytes) return await readBytes(range, runtime);
      return await readLines({ path, offset, limit, hasRange, settings }, runtime);
    } catch (error) {
      // Most paths are files; only a failure is worth a second look.
      if (byBytes || !(await isDirectory(path, error, runtime))) throw error;
      return listEntries({ path, offset, limit: args.limit ?? mostEntries }, runtime);
    }
  },
});

const mostEntries = 2_000;

async function isDirectory(path: string, error: unknown, runtime: Runtime): Promise<boolean> {
  if (!ToolError.isInstance(error)) return false;
  return runtime.fs.stat(path).then(
    (stat) => stat.kind === "directory",
    () => false,
  );
}
