import type { DialectAlias } from "../dialect.ts";
import { describeWriting } from "../shared/write-data.ts";

/** `write_file`: makes a file or replaces all of it. */
export const writeFile: DialectAlias = {
  name: "write_file",
  tool: "write",
  description:
    "Writes a file as a whole, with the directories it needs; what was in it before is gone. To change a part of a file use replace.",
  parameters: {
    type: "object",
    properties: {
      file_path: {
        type: "string",
        minLength: 1,
        description: "The file: absolute, or relative to the workspace root.",
      },
      content: { type: "string", description: "All that the file shall contain." },
    },
    required: ["file_path", "content"],
  },
  toArguments: ({ file_path: path, content }) => ({ path, content }),
  toData: describeWriting,
};
