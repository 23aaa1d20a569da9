import { type ByteSplice, ToolError } from "@haft/contract";
import { joinBytes, type Splice, spliceText } from "@haft/contract/internal";
import { decodePlainUtf8, detectEncoding, markLength } from "./detect-encoding.ts";
import { findCodec } from "./find-codec.ts";
import type { EncodingName, TextCodec } from "./text-codec.ts";

export { type Splice, spliceText } from "@haft/contract/internal";
export type { EncodingName } from "./text-codec.ts";

/** A text file, as characters and as bytes. */
export interface TextDocument {
  /** Decoded, without a byte order mark, with the original line endings. */
  readonly text: string;
  readonly encoding: EncodingName;
  readonly isAscii: boolean;
  /**
   * Converts splices of the text to splices of the bytes; all other bytes stay identical. The parts
   * are in ascending order and do not overlap. Throws `failed` if the encoding lacks a character.
   */
  toBytes(splices: readonly Splice[]): readonly ByteSplice[];
  /** The file's bytes after these splices. */
  splice(splices: readonly Splice[]): Uint8Array;
}

/**
 * Decodes the bytes of a text file. Throws `binary` if they are not text, and `failed` if encoding the
 * text again would not give the same bytes.
 */
export function openText(bytes: Uint8Array, path: string): TextDocument {
  const plain = decodePlainUtf8(bytes);
  const encoding = plain === undefined ? detectEncoding(bytes, true, path) : "utf-8";
  const codec = findCodec(encoding);
  const mark = markLength(bytes, encoding);
  const body = bytes.subarray(mark);
  const text = plain ?? decodeExactly(body, { codec, path });
  const toBytes = (splices: readonly Splice[]): readonly ByteSplice[] => {
    if (!codec.isStateful) return toByteSplices({ body, mark, text, splices }, { codec, path });
    const all = encode(spliceText(text, splices), { codec, path });
    return [{ start: mark, end: bytes.length, bytes: all }];
  };
  return {
    text,
    encoding,
    // Valid UTF-8 is never detected as another encoding.
    isAscii: encoding === "utf-8" && body.length === text.length,
    toBytes,
    splice: (splices) => spliceBytes(bytes, toBytes(splices)),
  };
}

function spliceBytes(bytes: Uint8Array, splices: readonly ByteSplice[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, bytes: replacement } of splices) {
    parts.push(bytes.subarray(at, start), replacement);
    at = end;
  }
  return joinBytes([...parts, bytes.subarray(at)]);
}

interface Context {
  readonly codec: TextCodec;
  readonly path: string;
}

function decodeExactly(body: Uint8Array, { codec, path }: Context): string {
  try {
    return codec.decode(body);
  } catch {
    throw cannotKeep(path, codec);
  }
}

function toByteSplices(
  file: { body: Uint8Array; mark: number; text: string; splices: readonly Splice[] },
  context: Context,
): ByteSplice[] {
  const { body, mark, text, splices } = file;
  const { codec } = context;
  const isOneByteEach = body.length === text.length;
  const skip = (at: number, start: number, end: number): number => {
    if (isOneByteEach) return at + end - start;
    if (codec.skip !== undefined) return codec.skip(body, at, end - start);
    return at + encode(text.slice(start, end), context).length;
  };
  let byte = 0;
  let index = 0;
  return splices.map(({ start, end, text: replacement }) => {
    const from = skip(byte, index, start);
    byte = skip(from, start, end);
    index = end;
    return { start: mark + from, end: mark + byte, bytes: encode(replacement, context) };
  });
}

function encode(text: string, { codec, path }: Context): Uint8Array {
  const bytes = codec.encode(text);
  if (bytes instanceof Uint8Array) return bytes;
  const point = bytes.missing.codePointAt(0) as number;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  const isHalf = point >= 0xd800 && point <= 0xdfff;
  throw new ToolError(
    "failed",
    isHalf
      ? `Wrote nothing: the new text has ${code}, which is half of a character. Send the whole character.`
      : `Wrote nothing: ${path} is in ${codec.name}, which has no ${bytes.missing} (${code}). Use other characters.`,
    { absolutePath: path },
  );
}

function cannotKeep(path: string, codec: TextCodec): ToolError {
  return new ToolError(
    "failed",
    `${path} looks like ${codec.name} but contains invalid bytes, which writing it would change. Repair its encoding first.`,
    { absolutePath: path, remedy: "To replace the whole file, use `write`." },
  );
}
