import { ToolError } from "@haft/contract";

/** The encodings of text that can be told apart from the bytes alone. */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

/** How much of a file is looked at to tell text from other data. */
export const sniffedBytes: number = 8 * 1024;

/** The encoding of a file that begins with these bytes; throws `binary` if it is no text. */
export function detectEncoding(head: Uint8Array, path: string): TextEncoding {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) {
    // UTF-32 begins alike, and nobody writes source code in it.
    if (third === 0 && fourth === 0) throw binaryFile(path);
    return "utf-16le";
  }
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const nul = head.indexOf(0);
  if (nul !== -1 && nul < sniffedBytes) throw binaryFile(path);
  return "utf-8";
}

/** The text of bytes that begin and end with whole characters, without a byte order mark. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding, offset: number): string {
  const text = decoders[encoding].decode(bytes);
  return offset === 0 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Throws `binary` if the beginning of a decoded file is to a large part undecodable. */
export function requireText(text: string, path: string): void {
  if (!text.includes("\ufffd")) return;
  const head = text.slice(0, sniffedBytes);
  let undecodable = 0;
  for (let at = head.indexOf("\ufffd"); at !== -1; at = head.indexOf("\ufffd", at + 1)) {
    undecodable++;
  }
  // Text in an old one-byte encoding has a few; compressed or random bytes have about half.
  if (undecodable > head.length * 0.3) throw binaryFile(path);
}

/** How many of the bytes form whole characters, counted from a character's beginning. */
export function countWholeBytes(bytes: Uint8Array, encoding: TextEncoding): number {
  const { length } = bytes;
  if (encoding !== "utf-8") {
    const even = length - (length % 2);
    const high = bytes[encoding === "utf-16le" ? even - 1 : even - 2];
    return high !== undefined && (high & 0xfc) === 0xd8 ? even - 2 : even;
  }
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? length - back : length;
  }
  return length;
}

/** How many bytes at the start belong to a character that began before them. */
export function countBrokenStart(
  bytes: Uint8Array,
  encoding: TextEncoding,
  offset: number,
): number {
  if (offset === 0) return 0;
  if (encoding !== "utf-8") {
    const odd = offset % 2;
    const high = bytes[encoding === "utf-16le" ? odd + 1 : odd];
    return high !== undefined && (high & 0xfc) === 0xdc ? odd + 2 : odd;
  }
  let broken = 0;
  while (broken < 3 && ((bytes[broken] ?? 0) & 0xc0) === 0x80) broken++;
  return broken;
}

const decoders: Readonly<Record<TextEncoding, TextDecoder>> = {
  "utf-8": new TextDecoder("utf-8", { ignoreBOM: true }),
  "utf-16le": new TextDecoder("utf-16le", { ignoreBOM: true }),
  "utf-16be": new TextDecoder("utf-16be", { ignoreBOM: true }),
};

function binaryFile(path: string): ToolError {
  return new ToolError("binary", `Not text: ${path} is a binary file, and read shows only text.`, {
    absolutePath: path,
  });
}
