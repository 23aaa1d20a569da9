import type { TextQuery } from "@haft/contract";
import { type TranslatedRegex, translateRegex } from "../regex/translate-regex.ts";
import { hashTrigrams } from "./trigrams.ts";

/** What is sought, ready to be held against files. */
export interface SoughtText extends TranslatedRegex {
  /** Of each of these groups a file must hold all trigrams of at least one. */
  readonly trigrams: readonly (readonly Uint16Array[])[];
}

/** Keeps what was sought last: to compile an expression takes as long as to search a small tree. */
export class SoughtTexts {
  readonly #known = new Map<string, SoughtText | undefined>();

  /** Prepares a query; `undefined` if it takes ripgrep to understand it. */
  prepare({ pattern, literal, caseSensitive }: TextQuery): SoughtText | undefined {
    const key = `${literal} ${caseSensitive} ${pattern}`;
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#known.size === most) this.#known.clear();
    const translated = translateRegex(pattern, { literal, caseSensitive });
    const sought = translated && {
      ...translated,
      trigrams: translated.required.map((group) => group.map(hashTrigrams)),
    };
    this.#known.set(key, sought);
    return sought;
  }
}

const most = 100;
