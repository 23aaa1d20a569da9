/** Content cut into lines, byte for byte, whatever its encoding is. */
export interface ByteLines {
  readonly bytes: Uint8Array;
  /** The lines in a form in which equal ones are equal; not for reading. */
  readonly keys: readonly string[];
  /** Where each line starts, and behind the last one where it ends. */
  readonly starts: readonly number[];
}

/** Cuts content into lines, each with its line break. */
export function splitBytes(bytes: Uint8Array): ByteLines {
  const width = isWide(bytes) ? 2 : 1;
  // Maps every byte to one character of its own, so that offsets stay what they are.
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

/** The bytes of some of the lines. */
export function sliceLines(lines: ByteLines, from: number, to: number): Uint8Array {
  return lines.bytes.subarray(lines.starts[from] as number, lines.starts[to] as number);
}

/** Whether two contents are the same. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

const decoder = new TextDecoder("windows-1252");

// UTF-16 has its line break in two bytes, of which either may be a part of other characters.
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
