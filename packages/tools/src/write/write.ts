import { defineTool, type Tool, ToolError } from "@haft/contract";
import { findGuidance } from "../paths/find-guidance.ts";
import { writeAliases } from "./write-aliases.ts";
import type { WriteArguments } from "./write-arguments.ts";

/** The result of `write`. */
export interface WriteData {
  path: string;
  created: boolean;
  bytes: number;
  message: string;
  guidance?: string[];
}

const encoder = new TextEncoder();

/**
 * The `write` tool: creates a file, or replaces the whole content of one.
 *
 * @example
 * ```ts
 * import { read, write } from "@haft/tools";
 *
 * const tools = [read, write];
 * ```
 */
export const write: Tool<WriteArguments, WriteData> = defineTool({
  id: "write",
  description: [
    "Creates a file, with missing directories, or replaces its whole content. Adds a missing line break at the end.",
    "To change part of a file, use `edit`.",
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
      content: { type: "string", description: "The whole content." },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute." },
      created: { type: "boolean", description: "True if the file did not exist." },
      bytes: { type: "integer", description: "New size of the file." },
      message: { type: "string" },
      guidance: {
        type: "array",
        items: { type: "string" },
        description: "Instruction files for this path, nearest last.",
      },
    },
    required: ["path", "created", "bytes", "message"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "edit",
  source: "builtin",
  aliases: writeAliases,
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write" }] },
  execute: async (args, runtime) => {
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was written.");
    const path = runtime.fs.resolve(args.path);
    const bytes = encoder.encode(endLine(args.content));
    const { created } = await runtime.fs.write(path, bytes, { parents: true });
    const data: WriteData = {
      path,
      created,
      bytes: bytes.length,
      message: `${created ? "Created" : "Overwrote"} ${path}.`,
    };
    const guidance = await findGuidance([path], runtime);
    if (guidance.length > 0) data.guidance = guidance;
    return data;
  },
});

function endLine(content: string): string {
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}
