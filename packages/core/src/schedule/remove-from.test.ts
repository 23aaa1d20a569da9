import { describe, expect, it } from "vitest";
import { removeFrom } from "./remove-from.ts";

describe("removeFrom", () => {
  it.each([
    ["the first", "a", ["b", "c"]],
    ["one between", "b", ["a", "c"]],
    ["the last", "c", ["a", "b"]],
  ])("takes out %s and keeps the order", (_, item, rest) => {
    const list = ["a", "b", "c"];
    expect(removeFrom(list, item)).toBe(true);
    expect(list).toEqual(rest);
  });

  it("leaves a list alone that does not have the item", () => {
    const list = ["a"];
    expect(removeFrom(list, "b")).toBe(false);
    expect(list).toEqual(["a"]);
  });
});
