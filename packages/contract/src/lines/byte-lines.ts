/** Content split into lines, byte by byte, in any encoding. */
export interface ByteLines {
  readonly bytes: Uint8Array;
  /** The lines in a form that can be compared, not read. */
  readonly keys: readonly string[];
  /** The offset of each line, and the end of the last one. */
  readonly starts: readonly number[];
}

/** Splits content into lines, each with its line break. */
export function splitBytes(bytes: Uint8Array): ByteLines {
  const width = isWide(bytes) ? 2 : 1;
  // It maps every byte to one character, so that offsets stay the same.
  const text = decoder.decode(bytes);
  const keys: string[] = [];
  const starts: number[] = [0];
  let start = 0;
  while (start < text.length) {
    const end = findEnd(text, start, width);
    keys.push(text.slice(start, end));
    starts.push(end);
    start = end;
  }
  return { bytes, keys, starts };
}

/** Returns the bytes of some lines. */
export function sliceLines(lines: ByteLines, from: number, to: number): Uint8Array {
  return lines.bytes.subarray(lines.starts[from] as number, lines.starts[to] as number);
}

/** Tells whether two contents are equal. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

const decoder = new TextDecoder("windows-1252");

// In UTF-16, a line break has two bytes, each of which may be part of other characters.
function isWide([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function findEnd(text: string, start: number, width: 1 | 2): number {
  if (width === 1) {
    const at = text.indexOf("\n", start);
    return at === -1 ? text.length : at + 1;
  }
  const lineBreak = text.startsWith("\u00ff\u00fe") ? "\n\0" : "\0\n";
  let at = text.indexOf(lineBreak, start);
  while (at % 2 === 1) at = text.indexOf(lineBreak, at + 1);
  return at === -1 ? text.length : at + 2;
}
