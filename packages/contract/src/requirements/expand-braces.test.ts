import { describe, expect, it } from "vitest";
import { expandBraces } from "./expand-braces.ts";

describe("expandBraces", () => {
  it.each<[string, string[]]>([
    ["plain", ["plain"]],
    ["{a,b}", ["a", "b"]],
    ["x{a,b}y", ["xay", "xby"]],
    ["{a,b}{1,2}", ["a1", "a2", "b1", "b2"]],
    ["{a,{b,c}d}", ["a", "bd", "cd"]],
    ["{a}", ["a"]],
    ["{,x}", ["", "x"]],
    ["{a,b", ["{a,b"]],
    ["a,b}", ["a,b}"]],
    ["{a,{b,c}", ["{a,b", "{a,c"]],
    ["\\{a,b\\}", ["\\{a,b\\}"]],
    ["{a\\,b,c}", ["a\\,b", "c"]],
    ["[{,}]{a,b}", ["[{,}]a", "[{,}]b"]],
    ["{[,],b}", ["[,]", "b"]],
  ])("expands %s", (pattern, expected) => {
    expect(expandBraces(pattern)).toEqual(expected);
  });

  it("refuses a pattern that stands for too many", () => {
    expect(expandBraces("{a,b}".repeat(10))).toHaveLength(1_024);
    expect(() => expandBraces("{a,b}".repeat(11))).toThrow(/more than 1024 patterns/u);
    expect(() => expandBraces("{a,b}".repeat(60))).toThrow(TypeError);
  });

  it.each(["{a,", "[", "{", "a"])("refuses a pattern of any number of %s", (part) => {
    expect(() => expandBraces(part.repeat(100_000))).toThrow(/is longer than 8192 characters/u);
  });
});
