import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastCharacters } from "./last-characters.ts";

const texts = fc.string({ unit: "binary", maxLength: 40 });

describe("lastCharacters", () => {
  it("counts as Unicode does", () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 40 }), (text, count) => {
        const characters = [...text];
        const expected = count === 0 ? "" : characters.slice(-count).join("");
        expect(lastCharacters(text, count)).toBe(expected);
      }),
    );
  });
});
