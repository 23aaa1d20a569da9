import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBadLine } from "./find-bad-line.ts";

describe("the line of a mistake", () => {
  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": x\n}', 2],
    ['{\n  "a": "open\n}', 2],
    ['{\n  "a": 1,\n', 3],
    ["{", 1],
    ["nonsense", 1],
    ['{\n  // fine\n  /* fine\n fine */\n  "a": [1, 2,],\n  "b" 3\n}', 6],
    ['{\r\n  "a": 1,\r\n  b: 2\r\n}', 3],
  ])("is found in %j", (text, line) => {
    expect(findBadLine(text)).toBe(line);
  });

  it("is where the mistake was put, wherever that is", () => {
    const texts = fc.array(fc.record({ a: fc.integer(), b: fc.string() }), { minLength: 1 });
    fc.assert(
      fc.property(texts, fc.nat(), (value, seed) => {
        const lines = JSON.stringify(value, undefined, 1).split("\n");
        const at = seed % lines.length;
        lines[at] = `?${lines[at]}`;
        expect(findBadLine(lines.join("\n"))).toBe(at + 1);
      }),
    );
  });
});
