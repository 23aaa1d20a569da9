import type { DialectAlias } from "../dialect.ts";
import { filePath } from "../shared/file-path.ts";
import { givenCount, leaveOut } from "../shared/given.ts";
import { parseNumberedLines } from "../shared/numbered-lines.ts";
import { describeReading, type ReadData } from "../shared/read-data.ts";

/** `Read`: lines numbered as `cat -n` does it, an image, or a listing. */
export const read: DialectAlias = {
  name: "Read",
  tool: "read",
  description: [
    "Reads a text file, an image (PNG, JPEG, GIF, WebP) or the names in a directory.",
    "Text comes as `cat -n` shows it: the number of the line, a tab, the line; only what follows the tab is in the file.",
    "Gives up to 2,000 lines from the first on unless offset and limit say otherwise. Read a file before you change it.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      file_path: filePath,
      offset: { type: "number", description: "The first line to show, counted from 1." },
      limit: { type: "number", description: "How many lines to show; 2,000 if left out." },
    },
    required: ["file_path"],
  },
  settings: { past_end: "empty" },
  toArguments: ({ file_path, offset, limit }) =>
    leaveOut({ path: file_path, offset: givenCount(offset, 1), limit: givenCount(limit, 1) }),
  toData: (data) => {
    const found = data as ReadData;
    if (found.type === "image") return found;
    const remarks = describeReading(found, (line) => `Go on with offset ${line}.`);
    const lines = found.type === "directory" ? found.content : numberAsCat(found.content);
    return [lines || explainNothing(found), ...remarks.map((remark) => `[${remark}]`)].join("\n");
  },
};

function numberAsCat(content: string): string {
  return parseNumberedLines(content)
    .map(({ number, text }) => `${number.padStart(6)}\t${text}`)
    .join("\n");
}

function explainNothing({ path, type, total_lines: total = 0 }: ReadData): string {
  if (type === "directory") return `[${path} is an empty directory.]`;
  return total === 0 ? `[${path} is empty.]` : `[${path} has ${total} lines, none of them there.]`;
}
