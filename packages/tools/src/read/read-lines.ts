import type { Runtime } from "@haft/contract";
import { utf8Length } from "@haft/contract/internal";
import { TextStream } from "../text/text-stream.ts";
import { findImageType } from "./image-type.ts";
import { type NumberedText, numberLines } from "./number-lines.ts";
import type { ReadData } from "./read-data.ts";
import { readImage } from "./read-image.ts";
import { type ReadSettings, requireSize } from "./read-settings.ts";
import { type Beginning, chunkBytes, measureText, readWindow } from "./read-window.ts";

/** A file and the range of lines to read. */
export interface LineRequest {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  /** The caller gave the range; it is not the default. */
  readonly hasRange: boolean;
  readonly settings: ReadSettings;
}

/**
 * Reads numbered lines, or a whole image. Keeps only the requested lines and one chunk of the file in
 * memory.
 */
export async function readLines(request: LineRequest, runtime: Runtime): Promise<ReadData> {
  const { path, hasRange, settings } = request;
  const length = chooseLength(request);
  const bytes = await runtime.fs.read(path, { offset: 0, length });
  const isWhole = bytes.length < length;
  const type = findImageType(bytes);
  if (type !== undefined) return readImage(path, { head: bytes, isWhole, type }, runtime);
  if (settings.fileBytes !== undefined && !hasRange) {
    const size = isWhole ? bytes.length : (await runtime.fs.stat(path)).size;
    requireSize(size, settings, request);
  }
  const stream = new TextStream(path);
  const text = stream.push(bytes, isWhole);
  const data = await numberText(request, { stream, bytes, text, isWhole }, runtime);
  if (stream.encoding !== "utf-8") data.encoding = stream.encoding;
  if (hasRange && settings.fileBytes !== undefined) {
    requireSize(countTextBytes(data), settings, request);
  }
  return data;
}

/** A few lines at the start need less than a chunk; the rest is read only if needed. */
function chooseLength({ offset, limit, hasRange }: LineRequest): number {
  if (!hasRange) return chunkBytes;
  return Math.min(chunkBytes, Math.max(minBytes, (offset + limit) * usualLineBytes));
}

const minBytes = 64 * 1024;
const usualLineBytes = 64;

function numberText(
  { path, offset: first, limit, settings }: LineRequest,
  beginning: Pick<Beginning, "stream" | "bytes" | "text" | "isWhole">,
  runtime: Runtime,
): ReadData | Promise<ReadData> {
  const { stream, bytes, text, isWhole } = beginning;
  const { lineBytes, mayPassEnd } = settings;
  const range = { first, limit, maxBytes: settings.maxBytes, lineBytes, mayPassEnd };
  const numbered = isWhole ? numberLines(text, range, measureText(text, bytes, stream)) : undefined;
  if (numbered !== undefined) return toWholeData(path, numbered, bytes.length);
  return readWindow({ path, range, ...beginning }, runtime);
}

/** Counts the bytes of the shown lines without their numbers. */
function countTextBytes({ content, start_line: first, end_line: last }: ReadData): number {
  let bytes = utf8Length(content);
  for (let line = first ?? 1; line <= (last ?? 0); line++) bytes -= `${line}: `.length;
  return bytes;
}

function toWholeData(path: string, { content, lines }: NumberedText, size: number): ReadData {
  return { path, type: "file", content, size, start_line: 1, end_line: lines, total_lines: lines };
}
