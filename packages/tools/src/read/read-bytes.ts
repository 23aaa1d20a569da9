import { type Runtime, ToolError } from "@haft/contract";
import { utf8Length } from "@haft/contract/internal";
import { TextStream } from "../text/text-stream.ts";
import { bytesBefore, countBrokenStart, countWholeBytes } from "./character-edges.ts";
import type { ReadData } from "./read-data.ts";
import { type ReadSettings, requireSize } from "./read-settings.ts";
import { chunkBytes } from "./read-window.ts";

/** A file and the range of bytes to read. */
export interface ByteRequest {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  readonly settings: ReadSettings;
}

/** Reads the raw text of a range of bytes, without characters that the range cuts. */
export async function readBytes(request: ByteRequest, runtime: Runtime): Promise<ReadData> {
  const { path, offset } = request;
  const { fs } = runtime;
  const { maxBytes } = request.settings;
  const limit = Math.min(request.limit, maxBytes);
  const bytes = await fs.read(path, { offset, length: limit });
  const encoding = await sniffEncoding(request, bytes, runtime);
  const isLast = bytes.length < limit;
  const size = isLast && bytes.length > 0 ? offset + bytes.length : (await fs.stat(path)).size;
  if (offset >= size && offset > 0) {
    throw new ToolError(
      "invalid-arguments",
      `Byte ${offset} is past the end: ${path} has ${size} bytes.`,
      { absolutePath: path },
    );
  }
  const before = await readBefore(request, encoding, runtime);
  const start = countBrokenStart(bytes, { encoding, offset, before });
  const isWhole = offset + bytes.length >= size;
  const shown = fitBytes(bytes.subarray(start), {
    encoding,
    offset: offset + start,
    isWhole,
    maxBytes,
  });
  requireSize(utf8Length(shown.text), request.settings, { path, hasRange: true });
  const data: ReadData = {
    path,
    type: "file",
    content: shown.text,
    start_byte: offset + start,
    end_byte: offset + start + shown.length,
    size,
  };
  if (encoding !== "utf-8") data.encoding = encoding;
  return data;
}

/** Detects the encoding from the start of a file, or else from its first bytes beyond ASCII. */
async function sniffEncoding(
  { path }: ByteRequest,
  bytes: Uint8Array,
  runtime: Runtime,
): Promise<string> {
  const head = await runtime.fs.read(path, { offset: 0, length: chunkBytes });
  const stream = new TextStream(path);
  stream.push(head, head.length < chunkBytes);
  if (head.length === chunkBytes) stream.push(bytes, false);
  return stream.encoding;
}

/** Only in legacy multi-byte encodings, a cut can't be detected from the bytes after it. */
async function readBefore(
  { path, offset }: ByteRequest,
  encoding: string,
  runtime: Runtime,
): Promise<Uint8Array> {
  if (encoding.startsWith("utf-")) return new Uint8Array();
  const start = Math.max(0, offset - bytesBefore);
  return runtime.fs.read(path, { offset: start, length: offset - start });
}

/** Returns the bytes that are whole characters and, decoded, fit into one result. */
function fitBytes(
  bytes: Uint8Array,
  about: { encoding: string; offset: number; isWhole: boolean; maxBytes: number },
): { text: string; length: number } {
  const decoder = new TextDecoder(about.encoding, { ignoreBOM: true });
  let length = about.isWhole ? bytes.length : countWholeBytes(bytes, about.encoding);
  for (;;) {
    const decoded = decoder.decode(bytes.subarray(0, length));
    const hasMark = about.offset === 0 && decoded.startsWith("\ufeff");
    const text = hasMark ? decoded.slice(1) : decoded;
    const shown = utf8Length(text);
    if (shown <= about.maxBytes) return { text, length };
    // Other encodings grow when converted to UTF-8.
    const fewer = Math.floor((length * about.maxBytes) / shown) - 1;
    length = countWholeBytes(bytes.subarray(0, fewer), about.encoding);
  }
}
