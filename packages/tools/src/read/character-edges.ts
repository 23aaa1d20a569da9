/** The encoding of a part of a file, and where it was cut. */
export interface Cut {
  readonly encoding: string;
  /** The offset of the first byte in the file. */
  readonly offset: number;
  /** The bytes before the first one, as far as they were read. */
  readonly before: Uint8Array;
}

/** How many bytes before a cut are needed. */
export const bytesBefore = 256;

/** Counts the bytes at the start that belong to a character before the cut. */
export function countBrokenStart(bytes: Uint8Array, { encoding, offset, before }: Cut): number {
  if (offset === 0) return 0;
  if (encoding === "utf-8") {
    let broken = 0;
    while (broken < 3 && ((bytes[broken] ?? 0) & 0xc0) === 0x80) broken++;
    return broken;
  }
  if (encoding.startsWith("utf-16")) {
    const odd = offset % 2;
    const high = bytes[encoding === "utf-16le" ? odd + 1 : odd];
    return high !== undefined && (high & 0xfc) === 0xdc ? odd + 2 : odd;
  }
  const around = new Uint8Array(before.length + bytes.length);
  around.set(before);
  around.set(bytes, before.length);
  let at = before.findLastIndex(standsAlone) + 1;
  while (at < before.length) at += lengthAt(around, at, encoding);
  return Math.min(at - before.length, bytes.length);
}

/** Counts the bytes that form whole characters. The first one must start a character. */
export function countWholeBytes(bytes: Uint8Array, encoding: string): number {
  const { length } = bytes;
  if (encoding === "utf-8") return countWholeUtf8(bytes);
  if (encoding.startsWith("utf-16")) {
    const even = length - (length % 2);
    const high = bytes[encoding === "utf-16le" ? even - 1 : even - 2];
    return high !== undefined && (high & 0xfc) === 0xd8 ? even - 2 : even;
  }
  let at = bytes.findLastIndex(standsAlone) + 1;
  for (;;) {
    const next = at + lengthAt(bytes, at, encoding);
    if (next > length) return at;
    at = next;
  }
}

function countWholeUtf8(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? length - back : length;
  }
  return length;
}

/** Tells whether no encoding has this byte inside a longer character. */
function standsAlone(byte: number): boolean {
  return byte < 0x30;
}

/** Returns the length of the character at an offset, in a legacy encoding. */
function lengthAt(bytes: Uint8Array, at: number, encoding: string): number {
  const byte = bytes[at] ?? 0;
  if (byte <= 0x80 || byte === 0xff) return 1;
  switch (encoding) {
    case "shift_jis":
      return byte >= 0xa0 && byte <= 0xdf ? 1 : 2;
    case "euc-jp":
      return byte === 0x8f ? 3 : byte === 0x8e || byte >= 0xa1 ? 2 : 1;
    case "gbk":
    case "gb18030": {
      const second = bytes[at + 1] ?? 0;
      return second >= 0x30 && second <= 0x39 ? 4 : 2;
    }
    case "big5":
    case "euc-kr":
      return 2;
    default:
      return 1;
  }
}
