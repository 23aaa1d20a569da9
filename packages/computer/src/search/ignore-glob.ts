/** One token of a pattern from an ignore file. */
export type IgnoreToken =
  /** Exactly this character. */
  | { readonly type: "character"; readonly character: string }
  /** One byte except a slash. */
  | { readonly type: "one" }
  /** Any bytes except slashes. */
  | { readonly type: "star" }
  /** One byte within the ranges, or outside all of them. */
  | { readonly type: "class"; readonly negated: boolean; readonly ranges: readonly Range[] }
  /** `**` followed by a slash, at the start. */
  | { readonly type: "head" }
  /** `**` between two slashes. */
  | { readonly type: "middle" }
  /** `**` after a slash, at the end. */
  | { readonly type: "tail" }
  | { readonly type: "choice"; readonly branches: readonly (readonly IgnoreToken[])[] };

/** The first and the last character of a range. */
export type Range = readonly [from: string, to: string];

/**
 * Parses a pattern as ripgrep does, which differs slightly from git: braces are alternatives, and a
 * backslash in a class is literal. `undefined` for patterns that ripgrep rejects and skips.
 */
export function parseIgnoreGlob(pattern: string): readonly IgnoreToken[] | undefined {
  try {
    return new Parser(pattern).parse();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

class Fault extends Error {}

class Parser {
  readonly #characters: readonly string[];
  #at = 0;
  /** The open branches, innermost last; the first is the pattern itself. */
  readonly #branches: IgnoreToken[][] = [[]];
  /** Where in them each open choice starts. */
  readonly #choices: number[] = [];
  #classesAreOver = false;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  parse(): readonly IgnoreToken[] {
    while (this.#at < this.#characters.length) {
      const character = this.#characters[this.#at++] as string;
      if (character === "?") this.#push({ type: "one" });
      else if (character === "*") this.#push(this.#readStar());
      else if (character === "[" && !this.#classesAreOver) this.#push(this.#readClass());
      else if (character === "{") this.#openChoice();
      else if (character === "}") this.#closeChoice();
      else if (character === "," && this.#choices.length > 0) this.#branches.push([]);
      else if (character === "\\") this.#readEscaped();
      else this.#push({ type: "character", character });
    }
    if (this.#branches.length > 1) throw new Fault();
    return this.#branches[0] ?? [];
  }

  #push(token: IgnoreToken): void {
    this.#branches.at(-1)?.push(token);
  }

  #openChoice(): void {
    this.#choices.push(this.#branches.length);
    this.#branches.push([]);
  }

  #closeChoice(): void {
    const start = this.#choices.pop();
    if (start === undefined) throw new Fault();
    const branches = this.#branches.splice(start);
    this.#push({ type: "choice", branches });
  }

  #readEscaped(): void {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw new Fault();
    this.#push({ type: "character", character });
  }

  // Two stars are special only as a whole component.
  #readStar(): IgnoreToken {
    const before = this.#characters[this.#at - 2];
    if (this.#characters[this.#at] !== "*") return { type: "star" };
    const next = this.#characters[++this.#at];
    const branch = this.#branches.at(-1) ?? [];
    if (branch.length === 0) {
      if (next !== undefined && next !== "/") return { type: "star" };
      this.#at++;
      return { type: "head" };
    }
    const inChoice = this.#branches.length > 1;
    const opensBranch = inChoice && (before === "," || before === "{");
    if (before !== "/" && !opensBranch) return { type: "star" };
    const ends = next === undefined || (inChoice && (next === "," || next === "}"));
    if (!ends && next !== "/") return { type: "star" };
    if (next === undefined || next === "/") this.#at++;
    // Before it is the slash, or another such component, which this one joins.
    const last = branch.pop();
    if (last?.type === "head" || last?.type === "tail") return last;
    return { type: ends ? "tail" : "middle" };
  }

  #readClass(): IgnoreToken {
    const start = this.#at;
    const ranges: [from: string, to: string][] = [];
    const negated = this.#characters[this.#at] === "!" || this.#characters[this.#at] === "^";
    if (negated) this.#at++;
    let isRange = false;
    for (let isFirst = true; ; isFirst = false) {
      const character = this.#characters[this.#at++];
      if (character === undefined) {
        // It never ends, so the bracket is literal, and no other class follows.
        this.#at = start;
        this.#classesAreOver = true;
        return { type: "character", character: "[" };
      }
      if (character === "]" && !isFirst) break;
      const last = ranges.at(-1);
      if (isRange && last !== undefined) {
        if (codeOf(character) < codeOf(last[0])) throw new Fault();
        last[1] = character;
        isRange = false;
      } else if (character === "-" && !isFirst) {
        isRange = true;
      } else {
        ranges.push([character, character]);
      }
    }
    if (isRange) ranges.push(["-", "-"]);
    return { type: "class", negated, ranges };
  }
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
