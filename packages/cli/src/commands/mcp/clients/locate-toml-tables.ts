/** The position of a table with its own header in TOML text. */
export interface LocatedTable {
  readonly keys: readonly string[];
  readonly start: number;
  /** After its last line; later comments and empty lines belong to what follows. */
  readonly end: number;
}

// Multi-line strings, strings, comments, line ends, brackets, and everything else.
const pattern =
  /"""(?:\\.|[^\\])*?"{3,5}(?!")|'''.*?'{3,5}(?!')|"(?:\\.|[^"\\])*"|'[^']*'|#[^\n]*|\n|[[\]{}]|[^"'#\n[\]{}]+/gsu;

/** Finds the tables of well-formed text. */
export function locateTomlTables(text: string): LocatedTable[] {
  const tables: { keys: readonly string[]; start: number; end: number }[] = [];
  let depth = 0;
  let lineStart = 0;
  let isLineStart = true;
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    if (piece === "\n") {
      lineStart = index + 1;
      isLineStart = true;
      continue;
    }
    if (piece === "[" && depth === 0 && isLineStart) {
      tables.push({ keys: readHeader(text, index), start: lineStart, end: index });
    }
    if (piece === "[" || piece === "{") depth += 1;
    if (piece === "]" || piece === "}") depth -= 1;
    if (piece.trim() === "") continue;
    isLineStart = false;
    const current = tables.at(-1);
    if (current !== undefined && !piece.startsWith("#")) {
      current.end = lineEndAfter(text, index + piece.length);
    }
  }
  return tables;
}

const key = /"((?:\\.|[^"\\])*)"|'([^']*)'|([\w-]+)/gu;

function readHeader(text: string, start: number): string[] {
  const line = text.slice(start, lineEndAfter(text, start));
  const header = /^\[\[?((?:"(?:\\.|[^"\\])*"|'[^']*'|[^\]"'])*)\]/u.exec(line)?.[1] ?? "";
  return Array.from(header.matchAll(key), ([, quoted, literal, bare]) =>
    quoted === undefined ? (literal ?? bare ?? "") : (JSON.parse(`"${quoted}"`) as string),
  );
}

function lineEndAfter(text: string, place: number): number {
  const end = text.indexOf("\n", place);
  return end === -1 ? text.length : end + 1;
}
