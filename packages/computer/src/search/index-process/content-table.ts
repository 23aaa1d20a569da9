import type { StoredFilter } from "./filter-store.ts";

/** What is known about the content of a file. */
export const contentKinds = {
  /** Nothing is known. */
  unknown: 0,
  /** Its trigrams tell what it can't contain. */
  filtered: 1,
  /** The same, but it also contains letters that are K or S in another letter case. */
  folding: 2,
  /** ripgrep finds nothing in it. */
  silent: 3,
} as const;

export type ContentKind = (typeof contentKinds)[keyof typeof contentKinds];

/** What is known about the contents of files, one row each. */
export class ContentTable {
  readonly #kinds: Uint8Array;
  readonly #offsets: Int32Array;
  readonly #words: Uint16Array;
  readonly #longestLines: Int32Array;

  /** Makes room for so many rows, with the content of another table. */
  constructor(rows: number, before?: ContentTable) {
    this.#kinds = new Uint8Array(rows);
    this.#offsets = new Int32Array(rows);
    this.#words = new Uint16Array(rows);
    this.#longestLines = new Int32Array(rows);
    if (before === undefined) return;
    this.#kinds.set(before.#kinds);
    this.#offsets.set(before.#offsets);
    this.#words.set(before.#words);
    this.#longestLines.set(before.#longestLines);
  }

  kindOf(row: number): ContentKind {
    return this.#kinds[row] as ContentKind;
  }

  /** In bytes. */
  longestLineOf(row: number): number {
    return this.#longestLines[row] as number;
  }

  /** Where the trigrams of a file are stored. */
  offsetOf(row: number): number {
    return this.#offsets[row] as number;
  }

  /** The size of its set of trigrams. */
  wordsOf(row: number): number {
    return this.#words[row] as number;
  }

  setKind(row: number, kind: ContentKind, longestLine: number): void {
    this.#kinds[row] = kind;
    this.#longestLines[row] = longestLine;
  }

  setFilter(row: number, { offset, words }: StoredFilter): void {
    this.#offsets[row] = offset;
    this.#words[row] = words;
  }
}
