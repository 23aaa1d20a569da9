import { defineTool, type Tool, ToolError } from "@haft/contract";
import { findGuidance } from "../paths/find-guidance.ts";
import { writeAliases } from "./write-aliases.ts";
import type { WriteArguments } from "./write-arguments.ts";

/** What `write` did. */
export interface WriteData {
  path: string;
  created: boolean;
  bytes: number;
  message: string;
  guidance?: string[];
}

const encoder = new TextEncoder();

/** Creates a file or replaces a whole one. */
export const write: Tool<WriteArguments, WriteData> = defineTool({
  id: "write",
  description: [
    "Creates a file, or replaces everything in an existing one, and makes missing directories.",
    "The content is written as it is; only a line break at the end is added where it lacks one.",
    "What is left out of the content is gone: to change a part of a file use edit, which keeps the rest.",
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
      content: { type: "string", description: "All that the file shall contain." },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "In full." },
      created: { type: "boolean", description: "There was no such file before." },
      bytes: { type: "integer", description: "The size of the file now." },
      message: { type: "string" },
      guidance: {
        type: "array",
        items: { type: "string" },
        description: "Files with instructions for this place, the nearest last.",
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
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Wrote nothing: aborted.");
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
