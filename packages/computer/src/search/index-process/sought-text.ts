import type { TextQuery } from "@haft/contract";
import { type TranslatedRegex, translateRegex } from "../regex/translate-regex.ts";
import { hashTrigrams } from "./trigrams.ts";

/** A compiled query, ready to be matched against files. */
export interface SoughtText extends TranslatedRegex {
  /** Of each group a file must contain all trigrams of at least one member. */
  readonly trigrams: readonly (readonly Uint16Array[])[];
}

/** Caches recent queries: compiling an expression takes as long as searching a small tree. */
export class SoughtTexts {
  readonly #known = new Map<string, SoughtText | undefined>();

  /** Compiles a query; `undefined` if only ripgrep understands it. */
  prepare({ pattern, literal, caseSensitive }: TextQuery): SoughtText | undefined {
    const key = `${literal} ${caseSensitive} ${pattern}`;
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#known.size === maxQueries) this.#known.clear();
    const translated = translateRegex(pattern, { literal, caseSensitive });
    const sought = translated && {
      ...translated,
      trigrams: translated.required.map((group) => group.map(hashTrigrams)),
    };
    this.#known.set(key, sought);
    return sought;
  }
}

const maxQueries = 100;
