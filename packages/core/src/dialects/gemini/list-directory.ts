import type { DialectAlias } from "../dialect.ts";
import { describeReading, type ReadData } from "../shared/read-data.ts";

/** `list_directory`: the names in a directory. */
export const listDirectory: DialectAlias = {
  name: "list_directory",
  tool: "read",
  description: "Lists the names in a directory, those of directories marked with [DIR].",
  parameters: {
    type: "object",
    properties: {
      dir_path: {
        type: "string",
        minLength: 1,
        description: "The directory: absolute, or relative to the workspace root.",
      },
    },
    required: ["dir_path"],
  },
  toArguments: ({ dir_path: path }) => ({ path }),
  toData: (data) => {
    const found = data as ReadData;
    if (found.type !== "directory") return `${found.path} is no directory: use read_file.`;
    if (found.content === "") return `The directory ${found.path} is empty.`;
    const names = found.content.split("\n").map((name) => name.replace(/^(.*)\/$/u, "[DIR] $1"));
    const remarks = describeReading(found, () => "The rest is not shown: use glob.");
    return [
      `In the directory ${found.path}:`,
      ...names,
      ...remarks.map((remark) => `[${remark}]`),
    ].join("\n");
  },
};
