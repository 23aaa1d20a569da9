import { utf8Length } from "@haft/contract/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastCharacters, utf8Tail } from "./utf8-tail.ts";

const texts = fc.string({ unit: "binary", maxLength: 40 });

describe("utf8Tail", () => {
  it("gives the longest tail that fits, and no half characters", () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 80 }), (text, limit) => {
        const tail = utf8Tail(text, limit);
        expect(text.endsWith(tail)).toBe(true);
        expect(utf8Length(tail)).toBeLessThanOrEqual(limit);
        if (tail === text) return;
        const left = [...text.slice(0, text.length - tail.length)];
        expect(utf8Length(`${left.at(-1)}${tail}`)).toBeGreaterThan(limit);
      }),
    );
  });
});

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
