import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldUnicode } from "./fold-unicode.ts";

describe("foldUnicode", () => {
  it("finds every part of the original again", () => {
    fc.assert(
      fc.property(texts, fc.nat(40), fc.nat(40), (text, from, length) => {
        const folded = foldUnicode(text);
        const start = Math.min(from, folded.text.length);
        const end = Math.min(start + length, folded.text.length);
        const [first, last] = [folded.toOriginal(start, "start"), folded.toOriginal(end, "end")];
        if (first === undefined || last === undefined || first >= last) return;
        expect(foldUnicode(text.slice(first, last)).text).toBe(folded.text.slice(start, end));
      }),
      { numRuns: 3_000 },
    );
  });

  it("never ends inside of a character", () => {
    const folded = foldUnicode("a\u2026b");
    expect(folded.text).toBe("a...b");
    expect([0, 1, 2, 3, 4, 5].map((at) => folded.toOriginal(at, "end"))).toEqual([
      0,
      1,
      undefined,
      undefined,
      2,
      3,
    ]);
  });

  it("leaves invisible characters at the edges out", () => {
    const folded = foldUnicode("a\u200bb\u200bc");
    expect(folded.text).toBe("abc");
    expect([folded.toOriginal(1, "start"), folded.toOriginal(2, "end")]).toEqual([2, 3]);
  });

  it("leaves plain text as it is", () => {
    const text = "plain é 本 😀\n";
    expect(foldUnicode(text).text).toBe(text);
    expect(foldUnicode(text).toOriginal(7, "start")).toBe(7);
  });
});

const units = [
  "a",
  "e\u0301",
  "é",
  "\u2026",
  "\u201c",
  "\u200b",
  "😀",
  "\u1112\u1161\u11ab",
  "\ufb01",
  "\n",
];
const texts = fc.string({ unit: fc.constantFrom(...units), maxLength: 20 });
