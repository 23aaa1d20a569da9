import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromUnits, type PositionEncoding, toUnits } from "./position-encoding.ts";

const encodings: readonly PositionEncoding[] = ["utf-8", "utf-16", "utf-32"];

describe.each(encodings)("positions in %s", (encoding) => {
  it("come back as they were, and count what comes before", () => {
    const line = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(line, line, (before, after) => {
        const characters = [...before].length;
        const units = toUnits(before + after, characters, encoding);
        const length = {
          "utf-8": Buffer.byteLength(before),
          "utf-16": before.length,
          "utf-32": characters,
        };
        expect(units).toBe(length[encoding]);
        expect(fromUnits(before + after, units, encoding)).toBe(characters);
      }),
    );
  });

  it("past the end are the end", () => {
    expect(toUnits("ab", 9, encoding)).toBe(2);
    expect(fromUnits("ab", 9, encoding)).toBe(2);
  });
});

describe("a position in the middle of a character", () => {
  it("is that character", () => {
    expect(fromUnits("a😀b", 2, "utf-16")).toBe(1);
    expect(fromUnits("a😀b", 3, "utf-8")).toBe(1);
  });
});
