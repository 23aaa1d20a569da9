import { type Runtime, ToolError } from "@haft/contract";
import { LineWindow } from "./line-window.ts";
import { type NumberedText, numberLines } from "./number-lines.ts";
import { mostShownBytes, type ReadData } from "./read-data.ts";
import {
  countWholeBytes,
  decodeText,
  detectEncoding,
  requireText,
  type TextEncoding,
} from "./text-encoding.ts";

/** Which lines of which file. */
export interface LineRequest {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

// One read takes in almost every source file whole, and is still quick.
const chunkBytes = 256 * 1024;
const chunksBetweenSignsOfLife = 64;

/** Reads lines with their numbers. Holds no more of the file than the lines asked for and a chunk. */
export async function readLines(request: LineRequest, runtime: Runtime): Promise<ReadData> {
  const { path, offset: first, limit } = request;
  const range = { first, limit, maxBytes: mostShownBytes };
  let window: LineWindow | undefined;
  let encoding: TextEncoding | undefined;
  let offset = 0;
  for (let chunk = 1; ; chunk++) {
    const bytes = await runtime.fs.read(path, { offset, length: chunkBytes });
    encoding ??= detectEncoding(bytes, path);
    const isLast = bytes.length < chunkBytes;
    // The rest of a character that the chunk cuts in two comes again with the next one.
    const whole = isLast ? bytes : bytes.subarray(0, countWholeBytes(bytes, encoding));
    const text = decodeText(whole, encoding, offset);
    if (offset === 0) {
      requireText(text, path);
      const numbered = isLast ? numberLines(text, range) : undefined;
      if (numbered !== undefined) return toWholeData(path, numbered, bytes.length);
    }
    window ??= new LineWindow(range);
    const isFaithful = encoding === "utf-8" && !text.includes("\ufffd");
    window.push(text, { bytes: isFaithful ? whole.length : undefined, isLast });
    offset += whole.length;
    if (isLast) return toEndData(request, window, offset);
    if (window.isComplete) return toData(request, window, (await runtime.fs.stat(path)).size);
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Stopped reading: aborted.");
    if (chunk % chunksBetweenSignsOfLife === 0) runtime.progress({ done: offset });
  }
}

function toWholeData(path: string, { content, lines }: NumberedText, size: number): ReadData {
  return { path, type: "file", content, size, start_line: 1, end_line: lines, total_lines: lines };
}

function toEndData(request: LineRequest, window: LineWindow, size: number): ReadData {
  const { path, offset: first } = request;
  if (window.ended < first && first > 1) {
    throw new ToolError(
      "invalid-arguments",
      `Line ${first} is past the end: ${path} has ${window.ended} lines.`,
      { absolutePath: path },
    );
  }
  const data = toData(request, window, size);
  data.total_lines = window.ended;
  return data;
}

function toData(request: LineRequest, window: LineWindow, size: number): ReadData {
  const data: ReadData = { path: request.path, type: "file", content: window.content, size };
  if (window.next > request.offset) {
    data.start_line = request.offset;
    data.end_line = window.next - 1;
  }
  if (window.isComplete) data.next_offset = window.next;
  return data;
}
