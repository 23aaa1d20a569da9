import { defineTool, type Runtime, type Tool, ToolError } from "@haft/contract";
import { suggestPath } from "../paths/suggest-path.ts";
import { listEntries } from "./list-entries.ts";
import { readAliases } from "./read-aliases.ts";
import type { ReadArguments } from "./read-arguments.ts";
import { readBytes } from "./read-bytes.ts";
import { maxShownBytes, type ReadData } from "./read-data.ts";
import { maxImageBytes } from "./read-image.ts";
import { readLines } from "./read-lines.ts";
import { toReadSettings } from "./read-settings.ts";

/**
 * The `read` tool: reads a text file by lines or bytes, shows an image, or lists a directory.
 *
 * @example
 * ```ts
 * import { read } from "@haft/tools";
 *
 * const tools = [read];
 * ```
 */
export const read: Tool<ReadArguments, ReadData> = defineTool({
  id: "read",
  description: [
    "Reads a text file, shows an image, or lists a directory. Read a file before you edit it.",
    "Returns up to 200 KB of numbered lines (`12: text`); to continue, pass next_offset as offset.",
    "Lines are cut at 2,000 characters: byte_offset shows a whole one. To search, use `grep`.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "Absolute, or relative to the workspace.",
      },
      offset: {
        type: "integer",
        minimum: 1,
        description: "First line, from 1.",
      },
      limit: {
        type: "integer",
        minimum: 0,
        description: "Lines. Default: 2,000.",
      },
      byte_offset: {
        type: "integer",
        minimum: 0,
        description: "First byte, from 0: raw text instead of lines.",
      },
      byte_limit: {
        type: "integer",
        // A smaller window might not get past one long character.
        minimum: 4,
        description: "Maximum: 204,800.",
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute." },
      type: { enum: ["file", "directory", "image"] },
      content: {
        type: "string",
        description: "Numbered lines, raw text, entry names, or a description of the image.",
      },
      start_line: { type: "integer" },
      end_line: { type: "integer", description: "Last line shown." },
      total_lines: { type: "integer", description: "Only if the end was reached." },
      next_offset: {
        type: "integer",
        description: "Present if more follows: the offset to continue with.",
      },
      start_byte: { type: "integer" },
      end_byte: { type: "integer", description: "The byte_offset to continue with." },
      size: { type: "integer", description: "Size of the whole file in bytes." },
      encoding: { type: "string", description: "Only if not UTF-8." },
      media_type: { type: "string", description: "Type of an image." },
      data: { type: "string", description: "Image in base64." },
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
  // Text has its own limit. Images are larger, and base64 adds a third.
  maxOutput: { bytes: Math.ceil(maxImageBytes * 1.5) },
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
        "offset and limit count lines; byte_offset and byte_limit count bytes. Use one pair, not both.",
      );
    }
    const range = { path, offset: byte_offset ?? 0, limit: byte_limit ?? maxShownBytes, settings };
    const limit = Math.min(args.limit ?? settings.defaultLines, settings.maxLines);
    try {
      if (byBytes) return await readBytes(range, runtime);
      const shown = Math.max(1, limit);
      const data = await readLines({ path, offset, limit: shown, hasRange, settings }, runtime);
      return limit === 0 ? withoutLines(data, offset) : data;
    } catch (error) {
      // Most paths are files, so the kind is checked only after a failure.
      if (byBytes || !(await isDirectory(path, error, runtime))) {
        throw await suggestPath(error, runtime);
      }
      const entries = Math.min(args.limit ?? maxEntries, settings.maxLines);
      const { maxBytes } = settings;
      return listEntries({ path, offset, limit: entries, maxBytes }, runtime);
    }
  },
});

const maxEntries = 2_000;

// The file is read all the same, so that an error does not depend on the limit.
function withoutLines(data: ReadData, offset: number): ReadData {
  if (data.type !== "file" || data.content === "") return data;
  const { start_line: _first, end_line: _last, ...rest } = data;
  return { ...rest, content: "", next_offset: offset };
}

async function isDirectory(path: string, error: unknown, runtime: Runtime): Promise<boolean> {
  if (!ToolError.isInstance(error)) return false;
  return runtime.fs.stat(path).then(
    (stat) => stat.kind === "directory",
    () => false,
  );
}
