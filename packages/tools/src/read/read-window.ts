import { type Runtime, ToolError } from "@haft/contract";
import type { TextStream } from "../text/text-stream.ts";
import { type LineRange, LineWindow } from "./line-window.ts";
import type { ReadData } from "./read-data.ts";

/** How much of a file is read at once: enough for nearly every source file. */
export const chunkBytes: number = 256 * 1024;

/** The state of a file after its first chunk. */
export interface Beginning {
  readonly path: string;
  readonly range: LineRange;
  readonly stream: TextStream;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The chunk is the whole file. */
  readonly isWhole: boolean;
}

const chunksBetweenSignsOfLife = 64;
// The maximum to read for the end of lines that are too long to show.
const maxWindowBytes = 32 * 1024 * 1024;

/** Reads a file in chunks up to the end of a range of lines, and keeps only those. */
export async function readWindow(beginning: Beginning, runtime: Runtime): Promise<ReadData> {
  const { path, range, stream } = beginning;
  const window = new LineWindow(range);
  let { bytes, text, isWhole: isLast } = beginning;
  let isAscii = text.length === bytes.length;
  let offset = 0;
  let taken = 0;
  for (let chunk = 1; ; chunk++) {
    const skipped = isLast || hidesBreaks(stream) ? undefined : countBefore(bytes, window, range);
    // The first chunk beyond ASCII determines the encoding, even if it is skipped.
    if (offset > 0 && (isAscii || skipped === undefined)) {
      text = stream.push(bytes, isLast);
      isAscii &&= text.length === bytes.length;
    }
    offset += bytes.length;
    if (skipped === undefined) {
      window.push(text, { bytes: measureText(text, bytes, stream), isLast });
      if (isLast) return toEndData(window, offset, beginning);
      if (window.ended >= range.first - 1) taken += bytes.length;
    } else {
      window.skip(skipped, bytes.at(-1) !== lineFeed);
    }
    if (taken > maxWindowBytes && window.isInLongLine) window.endLongLine();
    if (window.isComplete || taken > maxWindowBytes) {
      const data = toData(window, (await runtime.fs.stat(path)).size, beginning);
      data.next_offset = window.next;
      return data;
    }
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Cancelled while reading.");
    if (chunk % chunksBetweenSignsOfLife === 0) runtime.progress({ done: offset });
    bytes = await runtime.fs.read(path, { offset, length: chunkBytes });
    isLast = bytes.length < chunkBytes;
    if (window.ended < range.first - 1) requireContent(bytes, path);
  }
}

/** In these encodings, a line feed may be two bytes or part of another character. */
function hidesBreaks({ encoding }: TextStream): boolean {
  return encoding.startsWith("utf-16") || encoding.startsWith("iso-2022");
}

/** Counts the lines that end in a chunk, if the range begins after it. */
function countBefore(
  bytes: Uint8Array,
  { ended }: LineWindow,
  { first }: LineRange,
): number | undefined {
  if (ended >= first - 1) return undefined;
  const lines = countLineBreaks(bytes);
  return ended + lines < first - 1 ? lines : undefined;
}

/** Returns the UTF-8 length of a text, or a little more, if its bytes show that. */
export function measureText(
  text: string,
  bytes: Uint8Array,
  stream: TextStream,
): number | undefined {
  const start = bytes[0] ?? 0;
  const continues = start >= 0x80 && start < 0xc0;
  if (continues || stream.encoding !== "utf-8" || text.includes("\ufffd")) return undefined;
  return bytes.length;
}

/** Refuses a sparse file, which would take as long to read as a full one. */
function requireContent(bytes: Uint8Array, path: string): void {
  if (bytes[0] !== 0 || bytes.some((byte) => byte !== 0)) return;
  throw new ToolError("binary", `Not text: ${path} is a binary file.`, { absolutePath: path });
}

function toEndData(window: LineWindow, size: number, beginning: Beginning): ReadData {
  const { path, range } = beginning;
  if (window.ended < range.first && range.first > 1 && range.mayPassEnd !== true) {
    throw new ToolError(
      "invalid-arguments",
      `Line ${range.first} is past the end: ${path} has ${window.ended} lines.`,
      { absolutePath: path },
    );
  }
  const data = toData(window, size, beginning);
  if (window.isComplete) data.next_offset = window.next;
  data.total_lines = window.ended;
  return data;
}

function toData(window: LineWindow, size: number, { path, range }: Beginning): ReadData {
  const data: ReadData = { path, type: "file", content: window.content, size };
  if (window.next > range.first) {
    data.start_line = range.first;
    data.end_line = window.next - 1;
  }
  return data;
}

/** Counts the line breaks of bytes, in any encoding that contains ASCII. */
function countLineBreaks(bytes: Uint8Array): number {
  let breaks = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) breaks++;
  return breaks;
}

// No encoding that contains ASCII has this byte inside another character.
const lineFeed = 0x0a;
