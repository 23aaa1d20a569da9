import { CharacterSet } from "./character-set.ts";

/** A regular expression as a tree. Groups leave no trace: what they capture is never asked for. */
export type PatternNode =
  | { readonly type: "set"; readonly set: CharacterSet }
  | { readonly type: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly type: "choice"; readonly items: readonly PatternNode[] }
  | {
      readonly type: "repeat";
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
    }
  | { readonly type: "position"; readonly is: "start" | "end" | "boundary" | "inside" }
  | {
      readonly type: "look";
      readonly item: PatternNode;
      readonly isAhead: boolean;
      readonly isNegative: boolean;
    };

/** A pattern that was read, and whether it reads texts by code points (the `u` flag) or by units. */
export interface ParsedPattern {
  readonly node: PatternNode;
  readonly isUnicode: boolean;
}

/** The longest pattern in characters. */
const maxPatternLength = 2_000;

/**
 * Parses an ECMAScript regular expression: with the `u` flag if it is valid so, else without. Throws an
 * `Error` that names the construct for what is no regular expression or can't be matched in linear time.
 */
export function parsePattern(source: string): ParsedPattern {
  if (source.length > maxPatternLength) {
    throw new Error(`it is longer than ${maxPatternLength} characters`);
  }
  const isUnicode = isValid(source, "u");
  if (!isUnicode && !isValid(source, "")) throw new Error("it is not a regular expression");
  return { node: new Parser(source, isUnicode).parse(), isUnicode };
}

function isValid(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

// The engine has accepted the syntax, so this only has to find where each part ends.
class Parser {
  readonly #source: string;
  readonly #isUnicode: boolean;
  readonly #sets = new Map<string, CharacterSet>();
  #at = 0;

  constructor(source: string, isUnicode: boolean) {
    this.#source = source;
    this.#isUnicode = isUnicode;
  }

  parse(): PatternNode {
    const items = [this.#parseSequence()];
    while (this.#take("|")) items.push(this.#parseSequence());
    return items.length === 1 ? (items[0] as PatternNode) : { type: "choice", items };
  }

  #parseSequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] as string)) {
      items.push(this.#parseRepeat(this.#parseTerm()));
    }
    return { type: "sequence", items };
  }

  #parseRepeat(item: PatternNode): PatternNode {
    const [whole, min, comma, max] = this.#match(quantifier) ?? [];
    if (whole === undefined) return item;
    this.#take("?");
    if (min === undefined) {
      return {
        type: "repeat",
        item,
        min: whole === "+" ? 1 : 0,
        max: whole === "?" ? 1 : Number.POSITIVE_INFINITY,
      };
    }
    const upper = comma === undefined ? min : max || Number.POSITIVE_INFINITY;
    return { type: "repeat", item, min: Number(min), max: Number(upper) };
  }

  #parseTerm(): PatternNode {
    if (this.#take("^")) return { type: "position", is: "start" };
    if (this.#take("$")) return { type: "position", is: "end" };
    if (this.#take("\\b")) return { type: "position", is: "boundary" };
    if (this.#take("\\B")) return { type: "position", is: "inside" };
    if (this.#take("(")) return this.#parseGroup();
    if (this.#source[this.#at] === "\\") return this.#toSet(this.#takeEscape());
    const [found] = this.#match(classOrDot) ?? [];
    if (found !== undefined) return this.#toSet(found);
    const code = this.#isUnicode
      ? (this.#source.codePointAt(this.#at) as number)
      : this.#source.charCodeAt(this.#at);
    this.#at += code > 0xffff ? 2 : 1;
    const source = code > 0xffff ? `\\u{${code.toString(16)}}` : toEscape(code);
    return this.#toSet(source);
  }

  #parseGroup(): PatternNode {
    const [, lookBehind, look, other] = this.#match(groupStart) ?? [];
    // Names and `?:` change nothing; letters switch flags.
    if (other !== undefined && other !== ":" && !other.startsWith("<")) {
      throw new Error(`"(?${other}" changes flags, which is not supported`);
    }
    const item = this.parse();
    this.#take(")");
    if (look === undefined) return item;
    return { type: "look", item, isAhead: lookBehind !== "<", isNegative: look === "!" };
  }

  #takeEscape(): string {
    const [found = "", reference] =
      this.#match(this.#isUnicode ? unicodeEscape : legacyEscape) ?? [];
    if (reference !== undefined) {
      throw new Error(`${JSON.stringify(found)} refers back to a group, which is not supported`);
    }
    return found;
  }

  #toSet(source: string): PatternNode {
    let set = this.#sets.get(source);
    if (set === undefined) {
      set = new CharacterSet(source, this.#isUnicode);
      this.#sets.set(source, set);
    }
    return { type: "set", set };
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const found = form.exec(this.#source) ?? undefined;
    if (found !== undefined) this.#at = form.lastIndex;
    return found;
  }
}

function toEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

const quantifier = /[*+?]|\{(\d+)(?:(,)(\d*))?\}/y;
const classOrDot = /\.|\[(?:\\[\s\S]|[^\]\\])*\]/y;
const groupStart = /\?(?:(<?)([=!])|(:|<[^>]*>|[^:]*))/y;
// A decimal escape, `\k` and what may be an octal one count as references.
const unicodeEscape =
  /\\(?:(\d\d+|[1-9]|k)|[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB].{2}\\u[dD][c-fC-F].{2}|u.{4}|x.{2}|c.|[\s\S])/uy;
const legacyEscape =
  /\\(?:(\d\d+|[1-9]|k|c(?![A-Za-z]))|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|[\s\S])/y;
