/** Characters that one place of a pattern matches: a class, an escape or the dot. */
export class CharacterSet {
  readonly #pattern: RegExp;
  // Of each ASCII character: 1 if it belongs to the set, -1 if not, 0 if not known yet.
  readonly #ascii = new Int8Array(128);
  readonly #others = new Map<number, boolean>();

  constructor(source: string, isUnicode: boolean) {
    // One character against one class: nothing can be tried twice.
    this.#pattern = new RegExp(`^(?:${source})$`, isUnicode ? "u" : "");
  }

  /** Whether a character belongs to the set. The engine says so, once for each. */
  has(code: number): boolean {
    const known = code < 128 ? (this.#ascii[code] as number) : 0;
    return known === 0 ? this.#find(code) : known > 0;
  }

  #find(code: number): boolean {
    const known = this.#others.get(code);
    if (known !== undefined) return known;
    const found = this.#pattern.test(String.fromCodePoint(code));
    if (code < 128) this.#ascii[code] = found ? 1 : -1;
    else if (this.#others.size < maxKnown) this.#others.set(code, found);
    return found;
  }
}

const maxKnown = 500;
