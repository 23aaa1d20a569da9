import { describe, expect, it } from "vitest";
import { givenCount, givenText, leaveOut } from "./given.ts";

describe("givenText", () => {
  it.each(["", " ", "null", "undefined", 5, undefined])("takes %j for left out", (value) => {
    expect(givenText(value)).toBeUndefined();
  });

  it("gives any other text as it is", () => {
    expect(givenText(" src ")).toBe(" src ");
  });
});

describe("givenCount", () => {
  it.each([
    [2.7, 2],
    [0, 1],
    [-5, 1],
    [undefined, undefined],
    [Number.NaN, undefined],
    ["5", undefined],
  ])("makes %s %s", (value, count) => {
    expect(givenCount(value, 1)).toBe(count);
  });
});

describe("leaveOut", () => {
  it("leaves out what is undefined, and nothing else", () => {
    expect(leaveOut({ a: undefined, b: null, c: 0 })).toStrictEqual({ b: null, c: 0 });
  });
});
