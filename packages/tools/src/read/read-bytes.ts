import { type Runtime, ToolError, utf8Length } from "@haft/contract";
import { mostShownBytes, type ReadData } from "./read-data.ts";
import {
  countBrokenStart,
  countWholeBytes,
  decodeText,
  detectEncoding,
  requireText,
  sniffedBytes,
  type TextEncoding,
} from "./text-encoding.ts";

/** Which bytes of which file. */
export interface ByteRequest {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

/** Reads the text in a range of bytes, as it is; characters that the range cuts are left out. */
export async function readBytes(request: ByteRequest, runtime: Runtime): Promise<ReadData> {
  const { path, offset } = request;
  const { fs } = runtime;
  const limit = Math.min(request.limit, mostShownBytes);
  const encoding = await sniffEncoding(path, runtime);
  const bytes = await fs.read(path, { offset, length: limit });
  const isLast = bytes.length < limit;
  const size = isLast && bytes.length > 0 ? offset + bytes.length : (await fs.stat(path)).size;
  if (offset >= size && offset > 0) {
    throw new ToolError(
      "invalid-arguments",
      `Byte ${offset} is past the end: ${path} has ${size} bytes.`,
      { absolutePath: path },
    );
  }
  const start = countBrokenStart(bytes, encoding, offset);
  const isWhole = offset + bytes.length >= size;
  const shown = fitBytes(bytes.subarray(start), { encoding, offset: offset + start, isWhole });
  return {
    path,
    type: "file",
    content: shown.text,
    start_byte: offset + start,
    end_byte: offset + start + shown.length,
    size,
  };
}

async function sniffEncoding(path: string, runtime: Runtime): Promise<TextEncoding> {
  const head = await runtime.fs.read(path, { offset: 0, length: sniffedBytes });
  const encoding = detectEncoding(head, path);
  const whole = head.subarray(0, countWholeBytes(head, encoding));
  requireText(decodeText(whole, encoding, 0), path);
  return encoding;
}

/** As many of the bytes as are whole characters and, decoded, no more than a call shows. */
function fitBytes(
  bytes: Uint8Array,
  about: { encoding: TextEncoding; offset: number; isWhole: boolean },
): { text: string; length: number } {
  let length = about.isWhole ? bytes.length : countWholeBytes(bytes, about.encoding);
  for (;;) {
    const text = decodeText(bytes.subarray(0, length), about.encoding, about.offset);
    const shown = utf8Length(text);
    if (shown <= mostShownBytes) return { text, length };
    // UTF-16 and undecodable bytes grow when they become UTF-8.
    const fewer = Math.floor((length * mostShownBytes) / shown) - 1;
    length = countWholeBytes(bytes.subarray(0, fewer), about.encoding);
  }
}
