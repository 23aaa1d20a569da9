import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipText } from "./clip-text.ts";

describe("a clipped text", () => {
  it("is the beginning of the text, no longer than said, with no half character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, length) => {
        const clipped = clipText(text, length);
        expect(text.startsWith(clipped)).toBe(true);
        expect(clipped.length).toBeLessThanOrEqual(length);
        expect(clipped.isWellFormed()).toBe(true);
      }),
    );
  });
});
