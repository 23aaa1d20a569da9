import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipLine } from "./clip-line.ts";

describe("clipLine", () => {
  it("keeps a line that is short enough, without its carriage return", () => {
    expect(clipLine("abc", 3)).toEqual({ text: "abc" });
    expect(clipLine("abc\r", 3)).toEqual({ text: "abc" });
  });

  it("takes so many characters of a longer one, whole ones", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(20), (line, length) => {
        const { text, clipped } = clipLine(line, length);
        const characters = Array.from(line.replace(/\r$/u, ""));
        expect(text).toBe(characters.slice(0, length).join(""));
        expect(clipped).toBe(characters.length > length ? true : undefined);
      }),
    );
  });
});
