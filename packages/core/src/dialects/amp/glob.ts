import type { DialectAlias } from "../dialect.ts";

/** `glob`: files by pattern. The native tool has this name too, and other parameters. */
export const glob: DialectAlias = {
  name: "glob",
  tool: "glob",
  parameters: {
    type: "object",
    properties: {
      filePattern: {
        type: "string",
        description: 'Glob pattern like "**/*.js" or "src/**/*.ts"',
      },
      limit: { type: "number", description: "Maximum results to return" },
      offset: { type: "number", description: "Results to skip (pagination)" },
    },
    required: ["filePattern"],
    additionalProperties: false,
  },
  toArguments: ({ filePattern, limit, offset }) => ({
    pattern: filePattern,
    ...(limit === undefined ? {} : { limit: Math.max(1, Math.floor(limit as number)) }),
    ...(offset === undefined ? {} : { offset: Math.max(0, Math.floor(offset as number)) }),
  }),
  toData: (data) => {
    const { files, remaining } = data as GlobData;
    return { files, remaining };
  },
};

interface GlobData {
  readonly files: readonly string[];
  readonly remaining: number;
}
