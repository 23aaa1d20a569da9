import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipText, isInside, isPlainObject, toErrorMessage } from "./values.ts";

describe("isPlainObject", () => {
  it.each([
    [{}, true],
    [Object.create(null), true],
    [null, false],
    [[], false],
    ["text", false],
    [() => {}, false],
  ])("judges %o as %s", (value, expected) => {
    expect(isPlainObject(value)).toBe(expected);
  });
});

describe("toErrorMessage", () => {
  it.each([
    [new TypeError("broken"), "broken"],
    ["words", "words"],
    [undefined, "undefined"],
    [Symbol("broken"), "Symbol(broken)"],
    [Object.create(null), "something that can't be turned into text was thrown"],
  ])("describes %o", (thrown, expected) => {
    expect(toErrorMessage(thrown)).toBe(expected);
  });

  it("describes an error whose message cannot be read", () => {
    const error = new Error();
    Object.defineProperty(error, "message", {
      get: () => {
        throw new Error("again");
      },
    });
    expect(toErrorMessage(error)).toContain("can't be turned into text");
  });
});

describe("clipText", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\ud83d", "\ude00", "\n") });

  it("keeps a text that fits", () => {
    expect(clipText("four", 4)).toBe("four");
    expect(clipText("fives", 4)).toBe("fiv…");
    expect(clipText("fives", 4, "")).toBe("five");
    expect(clipText("a😀b", 3)).toBe("a…");
  });

  it("never exceeds the limit and never splits a character", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (sample, maxLength) => {
        const clipped = clipText(sample, maxLength);
        expect(clipped.length).toBeLessThanOrEqual(maxLength);
        if (sample.isWellFormed()) expect(clipped.isWellFormed()).toBe(true);
        if (sample.length > maxLength) expect(sample.startsWith(clipped.slice(0, -1))).toBe(true);
      }),
    );
  });
});

describe("isInside", () => {
  it.each([
    ["/a", "/a", true],
    ["/a", "/a/b", true],
    ["/a", "/ab", false],
    ["/a/b", "/a", false],
    ["/", "/anything", true],
    ["/", "/", true],
  ])("tells whether %s holds %s: %s", (directory, path, expected) => {
    expect(isInside(directory, path)).toBe(expected);
  });
});
