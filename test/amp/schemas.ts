/** The schemas of the core tools, word for word: lines, name, schema. */
export const schemas: readonly [lines: string, name: string, schema: unknown][] = [
  [
    "001:29-45",
    "Read",
    {
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
  ],
  [
    "001:159-181",
    "edit_file",
    {
      type: "object",
      properties: {
        path: { type: "string", description: "Absolute path to the file (MUST exist)" },
        old_str: { type: "string", description: "Text to search for. Must match exactly." },
        new_str: { type: "string", description: "Text to replace old_str with." },
        replace_all: {
          type: "boolean",
          default: false,
          description: "Replace all occurrences of old_str",
        },
      },
      required: ["path", "old_str", "new_str"],
    },
  ],
  [
    "001:285-298",
    "create_file",
    {
      type: "object",
      properties: {
        path: {
          type: "string",
          description: "Absolute path of file to create. If exists, will be overwritten.",
        },
        content: { type: "string", description: "The content for the file." },
      },
      required: ["path", "content"],
    },
  ],
  [
    "001:356-369",
    "Bash",
    {
      type: "object",
      properties: {
        cmd: { type: "string", description: "The shell command to execute" },
        cwd: { type: "string", description: "Working directory (absolute path)" },
      },
      required: ["cmd"],
    },
  ],
  [
    "001:456-474",
    "glob",
    {
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
  ],
  [
    "001:545-570",
    "Grep",
    {
      type: "object",
      properties: {
        pattern: { type: "string", description: "Regex pattern to search for" },
        path: { type: "string", description: "File or directory path. Cannot use with glob." },
        glob: { type: "string", description: "Glob pattern for files. Cannot use with path." },
        caseSensitive: {
          type: "boolean",
          description: "Case-sensitive search (default: false)",
        },
        literal: { type: "boolean", description: "Treat pattern as literal string, not regex" },
      },
      required: ["pattern"],
    },
  ],
];
