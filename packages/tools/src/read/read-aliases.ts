import type { ToolAlias } from "@haft/contract";
import type { ReadArguments } from "./read-arguments.ts";

/** Aliases of `read`. */
export const readAliases: readonly ToolAlias<ReadArguments>[] = [
  {
    name: "Read",
    description: [
      "Read a file or list a directory.",
      "A file is returned as numbered lines, by default the first 500 and at most 2,000; a directory as names, directories with a trailing slash; a PNG, JPEG or GIF as an image.",
      "Files above 64 KB need a read_range.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        path: {
          type: "string",
          description:
            "The absolute path to the file or directory (MUST be absolute, not relative).",
        },
        read_range: {
          type: "array",
          items: { type: "number" },
          minItems: 2,
          maxItems: 2,
          description:
            "Line range [start, end], 1-indexed. Default: [1, 500]. Hard cap: 2,000 lines.",
        },
      },
      required: ["path"],
    },
    toArguments: ({ path, read_range, offset, limit }) => ({
      path: path as string,
      ...(read_range === undefined ? keep({ offset, limit }) : toLines(read_range as number[])),
    }),
  },
  { name: "read_file" },
];

function toLines([start = 1, end = start]: readonly number[]): { offset: number; limit: number } {
  const first = Math.max(1, Math.floor(start));
  return { offset: first, limit: Math.max(0, Math.floor(end) - first + 1) };
}

// Some models use the native parameter names with this alias.
function keep(lines: { offset: unknown; limit: unknown }): { offset?: number; limit?: number } {
  const { offset, limit } = lines;
  return {
    ...(isCount(offset) ? { offset } : {}),
    ...(isCount(limit) ? { limit } : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1;
}
