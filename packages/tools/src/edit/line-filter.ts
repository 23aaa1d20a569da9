/** Finds quickly at which positions of a text a line of a file occurs. */
export class LineFilter {
  readonly #positions = new Map<string, { readonly at: number[]; hits: number }>();
  readonly #isPossible = new Uint8Array(size);

  constructor(lines: readonly string[]) {
    for (const [at, raw] of lines.entries()) {
      const line = raw.trim();
      if (line.length < minCharacters) continue;
      const known = this.#positions.get(line) ?? { at: [], hits: 0 };
      if (known.at.length < maxRepeats) known.at.push(at);
      this.#positions.set(line, known);
      this.#isPossible[hash(line, 0, line.length)] = 1;
    }
  }

  /** Returns the positions of a line, given without surrounding space. */
  find(text: string, start: number, end: number): readonly number[] {
    // Slicing every line would take most of the time.
    if (end - start < minCharacters || this.#isPossible[hash(text, start, end)] === 0) {
      return none;
    }
    const known = this.#positions.get(text.slice(start, end));
    if (known === undefined || known.hits++ > maxHits) return none;
    return known.at;
  }
}

const none: readonly number[] = [];
const size = 4096;
// A brace says nothing about the position, nor does a line that occurs everywhere.
const minCharacters = 3;
const maxRepeats = 8;
const maxHits = 400;

function hash(text: string, start: number, end: number): number {
  const middle = text.charCodeAt((start + end) >> 1);
  const edges = text.charCodeAt(start) * 31 + text.charCodeAt(end - 1);
  return ((end - start) * 961 + edges * 7 + middle * 127) & (size - 1);
}
