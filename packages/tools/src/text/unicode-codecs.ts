import type { TextCodec } from "./text-codec.ts";

const encoder = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const loneSurrogate = /\p{Surrogate}/u;

/** UTF-8. */
export const utf8Codec: TextCodec = {
  name: "utf-8",
  decode: (bytes) => strictUtf8.decode(bytes),
  encode: (text) => {
    const missing = findLoneSurrogate(text);
    return missing === undefined ? encoder.encode(text) : { missing };
  },
  skip: skipUtf8,
};

/** UTF-16, little endian. */
export const utf16leCodec: TextCodec = createUtf16Codec("utf-16le");

/** UTF-16, big endian. */
export const utf16beCodec: TextCodec = createUtf16Codec("utf-16be");

function createUtf16Codec(name: "utf-16le" | "utf-16be"): TextCodec {
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
  return {
    name,
    decode: (bytes) => decoder.decode(bytes),
    encode: (text) => {
      const missing = findLoneSurrogate(text);
      if (missing !== undefined) return { missing };
      const view = new DataView(new ArrayBuffer(text.length * 2));
      for (let at = 0; at < text.length; at++) {
        view.setUint16(at * 2, text.charCodeAt(at), name === "utf-16le");
      }
      return new Uint8Array(view.buffer);
    },
    skip: (_, at, units) => at + units * 2,
  };
}

/** Finds half of a surrogate pair, which no encoding can express. */
function findLoneSurrogate(text: string): string | undefined {
  return text.isWellFormed() ? undefined : loneSurrogate.exec(text)?.[0];
}

/** Skips characters, four bytes at a time while they are ASCII. */
function skipUtf8(bytes: Uint8Array, start: number, units: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lastWord = bytes.length - 4;
  let left = units;
  let at = start;
  while (left > 0) {
    if (left >= 4 && at <= lastWord && (view.getUint32(at) & 0x80808080) === 0) {
      left -= 4;
      at += 4;
      continue;
    }
    const byte = bytes[at] as number;
    left -= byte >= 0xf0 ? 2 : 1;
    at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
  return at;
}
