import type { DialectAlias } from "../dialect.ts";
import { filePath } from "../shared/file-path.ts";
import { type Given, givenCount, leaveOut } from "../shared/given.ts";
import { parseNumberedLines } from "../shared/numbered-lines.ts";
import { describeReading, type ReadData } from "../shared/read-data.ts";

const current: DialectAlias = {
  name: "read_file",
  tool: "read",
  description: [
    "Reads a text file or an image (PNG, JPEG, GIF, WebP).",
    "Text comes as it is in the file, up to 2,000 lines; where more follow, a remark before it says from which line on.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      file_path: filePath,
      start_line: { type: "number", description: "The first line to show, counted from 1." },
      end_line: { type: "number", description: "The last line to show." },
    },
    required: ["file_path"],
  },
  settings: { past_end: "empty" },
  toArguments: (given) => ({ path: given.file_path, ...toLines(given) }),
  toData: (data) => {
    const found = data as ReadData;
    if (found.type === "image") return found;
    const text =
      found.type === "directory"
        ? found.content
        : parseNumberedLines(found.content)
            .map((line) => line.text)
            .join("\n");
    const remarks = describeReading(found, (line) => `Go on with start_line ${line}.`);
    if (remarks.length === 0) return text || `[${found.path} has nothing there.]`;
    return `${remarks.map((remark) => `[${remark}]`).join("\n")}\n\n${text}`;
  },
};

/** `read_file`: lines as they are, or an image; also with the parameters it had before. */
export const readFile: readonly DialectAlias[] = [
  current,
  {
    ...current,
    hidden: true,
    parameters: {
      type: "object",
      properties: {
        absolute_path: { type: "string", minLength: 1, description: "The file." },
        offset: { type: "number", description: "How many lines to pass over." },
        limit: { type: "number", description: "How many lines to show." },
      },
      required: ["absolute_path"],
    },
    toArguments: (given) => ({ path: given.absolute_path, ...toLines(given) }),
  },
];

function toLines(given: Given): { offset?: number; limit?: number } {
  const passed = givenCount(given.offset, 0);
  const first = givenCount(given.start_line, 1) ?? (passed === undefined ? undefined : passed + 1);
  const last = givenCount(given.end_line, 1);
  const limit =
    last === undefined ? givenCount(given.limit, 1) : Math.max(1, last - (first ?? 1) + 1);
  return leaveOut({ offset: first, limit }) as { offset?: number; limit?: number };
}
