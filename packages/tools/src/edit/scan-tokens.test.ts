import fc from "fast-check";
import { expect, it } from "vitest";
import { findRarest, findTokens, formatting, scanTokens, spacing } from "./scan-tokens.ts";

function scan(text: string, wanted: string, rule = spacing): number[] | undefined {
  const rarest = findRarest(text, wanted);
  if (rarest === undefined || rarest.first === -1) return [];
  const tokens = findTokens(wanted, rule).map(([token]) => token);
  return scanTokens(text, { tokens, rule, rarest })?.map((offsets) => offsets[0] as number);
}

const letters = ["a", "b", "é", "𝒳", "_"];
const units = [...letters, "(", "(", "…", " ", "\n", "\u00a0"];
const texts = fc.string({ unit: fc.constantFrom(...units), maxLength: 14 });
// Compiling a pattern with a class of Unicode takes milliseconds. In these texts it is the same as these letters.
const letter = `[${letters.join("")}]`;
const isWord = new RegExp(letter, "u");

it("finds what a pattern finds, overlapping places included", () => {
  fc.assert(
    fc.property(texts, texts, (text, wanted) => {
      const tokens = wanted.match(/[\p{L}\p{N}_]+|\S/gu) ?? [];
      fc.pre(tokens.length > 0);
      const pattern = tokens
        .map((token) =>
          isWord.test(token)
            ? `(?<!${letter})${token}(?!${letter})`
            : `\\u{${token.codePointAt(0)?.toString(16)}}`,
        )
        .join("\\s*");
      const places = [...text.matchAll(new RegExp(`(?=${pattern})`, "gu"))];
      expect(scan(text, wanted)).toEqual(places.map(({ index }) => index));
    }),
    { numRuns: 5_000 },
  );
});

it("ignores commas and semicolons, and takes quotes for each other", () => {
  expect(scan("x f('a', b,);\ny f(`a` b)", 'f("a", b)', formatting)).toEqual([2, 16]);
  expect(scan("f('a', c)", 'f("a", b)', formatting)).toEqual([]);
});

it("stops comparing a text that repeats itself endlessly", () => {
  const wanted = `${"word  ".repeat(400)}end`;
  expect(scan(`end ${"word ".repeat(200_000)}`, wanted)).toBeUndefined();
});
