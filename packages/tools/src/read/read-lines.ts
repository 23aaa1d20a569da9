import { type Runtime, ToolError } from "@haft/contract";
import { LineWindow } from "./line-window.ts";
import { mostShownBytes, type ReadData } from "./read-data.ts";
import { countWholeBytes, decodeText, detectEncoding, requireText } from "./text-encoding.ts";

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
  const window = new LineWindow({ first, limit, maxBytes: mostShownBytes });
  const size = await scanFile(path, window, runtime);
  if (size === undefined) return toData(request, window, (await runtime.fs.stat(path)).size);
  if (window.ended < first && first > 1) {
    throw new ToolError(
      "invalid-arguments",
      `Line ${first} is past the end: ${path} has ${window.ended} lines.`,
      { absolutePath: path },
    );
  }
  return { ...toData(request, window, size), total_lines: window.ended };
}

/** Fills the window and stops; returns the size of the file if it came to its end. */
async function scanFile(
  path: string,
  window: LineWindow,
  runtime: Runtime,
): Promise<number | undefined> {
  let offset = 0;
  let bytes = await runtime.fs.read(path, { offset, length: chunkBytes });
  const encoding = detectEncoding(bytes, path);
  for (let chunk = 1; ; chunk++) {
    const isLast = bytes.length < chunkBytes;
    // The rest of a character that the chunk cuts in two comes again with the next one.
    const whole = isLast ? bytes : bytes.subarray(0, countWholeBytes(bytes, encoding));
    const text = decodeText(whole, encoding, offset);
    if (offset === 0) requireText(text, path);
    const isFaithful = encoding === "utf-8" && !text.includes("\ufffd");
    window.push(text, { bytes: isFaithful ? whole.length : undefined, isLast });
    offset += whole.length;
    if (isLast) return offset;
    if (window.isComplete) return undefined;
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Stopped reading: aborted.");
    if (chunk % chunksBetweenSignsOfLife === 0) runtime.progress({ done: offset });
    bytes = await runtime.fs.read(path, { offset, length: chunkBytes });
  }
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
