import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFindAny } from "./find-any.ts";

describe("createFindAny", () => {
  it("finds the first, and of those that begin there the longest", () => {
    const find = createFindAny(["abc", "bcdef", "abcd"]);
    expect(find("xxabcdef", 0)).toEqual({ start: 2, text: "abcd" });
    expect(find("xxabcdef", 3)).toEqual({ start: 3, text: "bcdef" });
    expect(find("xxabcdef", 4)).toBeUndefined();
  });

  it("finds nothing if nothing is searched for", () => {
    expect(createFindAny([])("text", 0)).toBeUndefined();
  });

  it("finds what a plain search finds", () => {
    const letters = fc.constantFrom("a", "b", "é", "á", "\u{1f600}");
    const text = (minLength: number, maxLength: number) =>
      fc.string({ unit: letters, minLength, maxLength });
    fc.assert(
      fc.property(
        fc.array(text(2, 6), { minLength: 1, maxLength: 5 }),
        text(0, 40),
        fc.nat(10),
        (texts, searched, from) => {
          const starts = texts.map((each) => searched.indexOf(each, from)).filter((at) => at >= 0);
          const start = Math.min(...starts);
          const longest = texts
            .filter((each) => searched.startsWith(each, start))
            .toSorted((a, b) => b.length - a.length)[0];
          expect(createFindAny(texts)(searched, from)).toEqual(
            starts.length === 0 ? undefined : { start, text: longest },
          );
        },
      ),
    );
  });
});
