import { contentEnd, diffLines, lineEnd, lineStart } from "@haft/contract/internal";
import type { TextRange } from "./line-rule.ts";

/** The text of a file, with values that are needed repeatedly. */
export class FileText {
  readonly text: string;
  readonly hasReturns: boolean;
  /** Lines end with `\r` alone, as on old Macs. */
  readonly hasReturnsOnly: boolean;
  readonly #hasBreaks: boolean;
  #isAscii: boolean | undefined;

  constructor(text: string, about: { readonly isAscii?: boolean } = {}) {
    this.text = text;
    this.#hasBreaks = text.includes("\n");
    this.hasReturns = text.includes("\r");
    this.hasReturnsOnly = this.hasReturns && !this.#hasBreaks;
    this.#isAscii = about.isAscii;
  }

  get isAscii(): boolean {
    this.#isAscii ??= !/[\u0080-\uffff]/.test(this.text);
    return this.#isAscii;
  }

  /** Converts the line endings of another text to `\n`, to compare or split it. */
  toPlain(text: string): string {
    const plain = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
    return this.hasReturnsOnly ? plain.replaceAll("\r", "\n") : plain;
  }

  /** The file with lines that end with `\n` or `\r\n`. Offsets stay the same. */
  toLined(): string {
    return this.hasReturnsOnly ? this.text.replaceAll("\r", "\n") : this.text;
  }

  /**
   * Returns the new text for a range with the line endings of the file. A line that replaces another
   * keeps its ending; an added line takes that of the line before it, or else after it.
   */
  fit(newText: string, place: TextRange): string {
    const plain = this.toPlain(newText);
    if (!plain.includes("\n")) return newText;
    if (this.hasReturnsOnly) return plain.replaceAll("\n", "\r");
    if (!this.hasReturns) return this.#hasBreaks ? plain : newText;
    const lines = plain.split("\n");
    const endings = chooseEndings(lines, this.text, place);
    const last = lines.length - 1;
    return lines.map((line, at) => (at === last ? line : line + endings[at])).join("");
  }
}

function chooseEndings(lines: readonly string[], file: string, place: TextRange): string[] {
  const old = listLines(file, place);
  const before = endingBefore(file, place.start);
  const endings: string[] = [];
  let at = 0;
  const runs = diffLines(
    old.map(({ content }) => content),
    lines,
  );
  for (const run of runs) {
    const next = at + run.before.length;
    for (const index of run.after.keys()) {
      const own = index < run.before.length ? old[at + index]?.ending : undefined;
      endings.push(own ?? endings.at(-1) ?? before ?? old[next]?.ending ?? "\n");
    }
    at = next;
  }
  return endings;
}

interface FileLine {
  readonly content: string;
  readonly ending: string | undefined;
}

/** Returns the lines of a range. The ending of the last one, if any, is after the range. */
function listLines(file: string, place: TextRange): FileLine[] {
  const lines: FileLine[] = [];
  for (let at = place.start; ; ) {
    const end = lineEnd(file, at);
    const stop = contentEnd(file, at, end);
    const ending = stop < end ? file.slice(stop, end) : undefined;
    lines.push({ content: file.slice(at, Math.min(stop, place.end)), ending });
    if (end > place.end || ending === undefined) return lines;
    at = end;
  }
}

function endingBefore(file: string, offset: number): string | undefined {
  const start = lineStart(file, offset);
  if (start === 0) return undefined;
  return file.charCodeAt(start - 2) === 13 ? "\r\n" : "\n";
}
