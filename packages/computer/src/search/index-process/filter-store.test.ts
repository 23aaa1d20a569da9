import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FilterStore, type StoredFilter } from "./filter-store.ts";
import { hashTrigrams } from "./trigrams.ts";

describe("FilterStore", () => {
  it("never denies what it was given, also after a move to another store", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2000, unit: "binary" })), (texts) => {
        const store = new FilterStore();
        const filters = texts.map((text) => store.add(hashTrigrams(text)));
        const other = new FilterStore();
        const moved = filters.map((filter) => other.copy(store, filter));
        for (const [index, text] of texts.entries()) {
          const part = hashTrigrams(text.toUpperCase().slice(text.length / 3));
          if (!/^[\0-\x7f]*$/u.test(text)) continue;
          const { offset, words } = filters[index] as StoredFilter;
          expect(store.mayHold(offset, words, part)).toBe(true);
          expect(other.mayHold(moved[index] as number, words, part)).toBe(true);
        }
      }),
    );
  });

  it("denies most of what it was not given", () => {
    const store = new FilterStore();
    const words = Array.from({ length: 2000 }, (_, index) => `word${(index * 7919) % 10_007}`);
    const { offset, words: size } = store.add(hashTrigrams(words.join(" ")));
    const others = words.map((word) => hashTrigrams(word.replace("word", "thing-")));
    const accepted = others.filter((hashes) => store.mayHold(offset, size, hashes));
    expect(accepted.length).toBeLessThan(20);
  });

  it("holds sets that fill its blocks exactly", () => {
    const store = new FilterStore();
    const hashes = Uint16Array.from({ length: 4096 }, (_, index) => index * 16);
    const filters = Array.from({ length: 100 }, () => store.add(hashes));
    for (const { offset, words } of filters) {
      expect(words).toBe(512);
      expect(store.mayHold(offset, words, hashes)).toBe(true);
    }
  });
});
