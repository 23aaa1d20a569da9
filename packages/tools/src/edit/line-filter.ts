/** Tells quickly for a line of a file at which positions of a text it is, if at any. */
export class LineFilter {
  readonly #positions = new Map<string, { readonly at: number[]; hits: number }>();
  readonly #isPossible = new Uint8Array(size);

  constructor(lines: readonly string[]) {
    for (const [at, raw] of lines.entries()) {
      const line = raw.trim();
      if (line.length < fewestCharacters) continue;
      const known = this.#positions.get(line) ?? { at: [], hits: 0 };
      if (known.at.length < mostRepeats) known.at.push(at);
      this.#positions.set(line, known);
      this.#isPossible[hash(line, 0, line.length)] = 1;
    }
  }

  /** The positions of a part of a text that is a line without the space around it. */
  find(text: string, start: number, end: number): readonly number[] {
    // Cutting out every line would take most of the time.
    if (end - start < fewestCharacters || this.#isPossible[hash(text, start, end)] === 0) {
      return none;
    }
    const known = this.#positions.get(text.slice(start, end));
    if (known === undefined || known.hits++ > mostHits) return none;
    return known.at;
  }
}

const none: readonly number[] = [];
const size = 4096;
// A brace says nothing about the place, nor does a line that is everywhere.
const fewestCharacters = 3;
const mostRepeats = 8;
const mostHits = 400;

function hash(text: string, start: number, end: number): number {
  const middle = text.charCodeAt((start + end) >> 1);
  const edges = text.charCodeAt(start) * 31 + text.charCodeAt(end - 1);
  return ((end - start) * 961 + edges * 7 + middle * 127) & (size - 1);
}
