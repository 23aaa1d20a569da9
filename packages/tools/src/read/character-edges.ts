/** An encoding's name, and what is known of where bytes were cut. */
export interface Cut {
  readonly encoding: string;
  /** The place of the first byte in the file. */
  readonly offset: number;
  /** What stands before the first byte, as far as it was read. */
  readonly before: Uint8Array;
}

/** How much has to be known of what stands before a cut. */
export const bytesBefore = 256;

/** How many bytes at the start belong to a character that began before them. */
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

/** How many of the bytes form whole characters, counted from a character's beginning. */
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

/** No encoding has such a byte inside of a longer character. */
function standsAlone(byte: number): boolean {
  return byte < 0x30;
}

/** How many bytes the character has that begins at a place, in an encoding older than Unicode. */
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
