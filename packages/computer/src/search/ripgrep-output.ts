/** A line that ripgrep printed. */
export interface PrintedLine {
  /** As bytes: not every name is UTF-8. The same object for consecutive lines of a file. */
  readonly path: Buffer;
  readonly line: number;
  /** Where the line starts in the file, after a byte order mark. */
  readonly offset: number;
  readonly isMatch: boolean;
  /** The head of the line, possibly followed by a remark of ripgrep. */
  readonly text: Buffer;
}

const lineBreak = 0x0a;
const nul = 0;

// Printed between lines for a file that turns out to be binary after its first matches.
const remark =
  /^.*?: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)\n/su;

/** Parses ripgrep's output: path, NUL, line number, offset, text, in pieces of any size. */
export class RipgrepOutput {
  readonly #onLine: (line: PrintedLine) => void;
  #rest: Buffer = Buffer.alloc(0);
  #path: Buffer = Buffer.alloc(0);

  constructor(onLine: (line: PrintedLine) => void) {
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (;;) {
      const pathEnd = bytes.indexOf(nul, start);
      const end = pathEnd === -1 ? -1 : bytes.indexOf(lineBreak, pathEnd);
      if (end === -1) break;
      this.#take(bytes.subarray(start, pathEnd), bytes.subarray(pathEnd + 1, end));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
  }

  #take(path: Buffer, line: Buffer): void {
    // The numbers are separated by colons in matching lines, else by hyphens.
    const [head = "", number, separator, offset] =
      /^(\d+)([:-])(\d+)[:-]/u.exec(line.toString("latin1", 0, 64)) ?? [];
    if (!this.#path.equals(path)) this.#path = withoutRemarks(path);
    this.#onLine({
      path: this.#path,
      line: Number(number),
      offset: Number(offset),
      isMatch: separator === ":",
      text: line.subarray(head.length),
    });
  }
}

function withoutRemarks(path: Buffer): Buffer {
  if (!path.includes(lineBreak)) return path;
  let text = path.toString("latin1");
  while (remark.test(text)) text = text.replace(remark, "");
  return Buffer.from(text, "latin1");
}
