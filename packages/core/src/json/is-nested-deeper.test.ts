import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNestedDeeper, isTextNestedDeeper } from "./is-nested-deeper.ts";

describe("isTextNestedDeeper", () => {
  it("counts arrays and objects alike", () => {
    expect(isTextNestedDeeper("[".repeat(3) + "]".repeat(3), 3)).toBe(false);
    expect(isTextNestedDeeper("[".repeat(4) + "]".repeat(4), 3)).toBe(true);
    expect(isTextNestedDeeper('{"a":[{"a":[]}]}', 4)).toBe(false);
    expect(isTextNestedDeeper('{"a":[{"a":[]}]}', 3)).toBe(true);
    expect(isTextNestedDeeper("[[],[],[],[],[],[],[]]", 2)).toBe(false);
    expect(isTextNestedDeeper("[".repeat(1_000_000))).toBe(true);
  });

  it("looks over strings, whatever they hold", () => {
    for (const text of ["[[[[[[", '"[[[[[[', '\\"[[[[[[', "\\\\", '\\\\"[[[[', "[\\"]) {
      expect([text, isTextNestedDeeper(JSON.stringify([text, text]), 1)]).toEqual([text, false]);
    }
    expect(isTextNestedDeeper('"[[[[[[', 1)).toBe(false);
  });

  it("agrees with what is parsed", () => {
    const measure = (value: unknown): number =>
      typeof value !== "object" || value === null
        ? 0
        : 1 + Math.max(0, ...Object.values(value).map(measure));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, limit) => {
        const text = JSON.stringify(value);
        return isTextNestedDeeper(text, limit) === measure(value) > limit;
      }),
    );
  });
});

describe("isNestedDeeper", () => {
  it.each<[unknown, number, boolean]>([
    [5, 0, false],
    [null, 0, false],
    [[], 0, true],
    [{ a: [1] }, 2, false],
    [{ a: 1, b: [[]] }, 2, true],
    [JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), 500, true],
  ])("counts the levels of a value (%#)", (value, levels, answer) => {
    expect(isNestedDeeper(value, levels)).toBe(answer);
  });
});
