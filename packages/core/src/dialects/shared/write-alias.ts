import type { DialectAlias } from "../dialect.ts";
import { filePath } from "./file-path.ts";
import { describeWriting } from "./write-data.ts";

/** The tool that makes a file or replaces all of it, under a family's names of it and of the edit tool. */
export function writeAlias(name: string, edit: string): DialectAlias {
  return {
    name,
    tool: "write",
    description: `Writes a file as a whole, with the directories it needs; what was in it before is gone. To change a part of a file use ${edit}.`,
    parameters: {
      type: "object",
      properties: {
        file_path: filePath,
        content: { type: "string", description: "All that the file shall contain." },
      },
      required: ["file_path", "content"],
    },
    toArguments: ({ file_path: path, content }) => ({ path, content }),
    toData: describeWriting,
  };
}
