import type { JsonSchema } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";

/** The schema of a file path parameter. */
export const filePath: JsonSchema = {
  type: "string",
  minLength: 1,
  description: "Path of the file, absolute or relative to the workspace root.",
};

/** The data of `read`. */
export interface ReadData {
  readonly path: string;
  readonly type: "file" | "directory" | "image";
  readonly content: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly total_lines?: number;
  readonly next_offset?: number;
  readonly encoding?: string;
}

/** Returns remarks about the lines that were read, one sentence each. */
export function describeReading(data: ReadData, goOn: (line: number) => string): string[] {
  const { start_line: first, end_line: last, next_offset: next, encoding, total_lines } = data;
  return [
    ...(encoding === undefined ? [] : [`The encoding of the file is ${encoding}.`]),
    ...(next === undefined
      ? []
      : [`These are lines ${first ?? 1} to ${last ?? next - 1}${of(total_lines)}. ${goOn(next)}`]),
  ];
}

function of(total: number | undefined): string {
  return total === undefined ? "" : ` of ${total}`;
}

/** A line of the data of `read`. */
export interface NumberedLine {
  readonly number: string;
  readonly text: string;
}

/** Separates the line numbers in the data of `read` from the text. */
export function parseNumberedLines(content: string): NumberedLine[] {
  if (content === "") return [];
  return content.split("\n").map((line) => {
    const end = line.indexOf(": ");
    return { number: line.slice(0, Math.max(0, end)), text: line.slice(end === -1 ? 0 : end + 2) };
  });
}

/** Creates the alias of `write` with a family's names of the write and edit tools. */
export function writeAlias(name: string, edit: string): DialectAlias {
  return {
    name,
    tool: "write",
    description: `Creates or overwrites a file, including missing parent directories. To change part of a file use ${edit}.`,
    parameters: {
      type: "object",
      properties: {
        file_path: filePath,
        content: { type: "string", description: "The whole new content of the file." },
      },
      required: ["file_path", "content"],
    },
    toArguments: ({ file_path: path, content }) => ({ path, content }),
    toData: describeWriting,
  };
}

/** Describes the data of `write`. */
function describeWriting(data: unknown): string {
  const { path, created, bytes, guidance } = data as WriteData;
  const done = `${created ? "Created" : "Replaced"} ${path} (${bytes} bytes).`;
  return [done, ...describeGuidance(guidance)].join("\n");
}

interface WriteData {
  readonly path: string;
  readonly created: boolean;
  readonly bytes: number;
  readonly guidance?: readonly string[];
}

/** Lists the files with instructions for the directory, if there are any. */
export function describeGuidance(guidance: readonly string[] = []): string[] {
  return guidance.length === 0 ? [] : ["Instructions for this directory are in:", ...guidance];
}
