import { describe, expect, it } from "vitest";
import { createHeadAndTail } from "./head-and-tail.ts";

describe("a text of any length", () => {
  it("is kept whole while it is short", () => {
    const kept = createHeadAndTail(10);
    for (const letter of "abcdefghij") kept.add(letter);
    expect(kept.text()).toBe("abcdefghij");
  });

  it.each([1, 3, 100])("keeps its beginning and its end: %i at a time", (size) => {
    const kept = createHeadAndTail(10);
    const text = `start${"x".repeat(10_000 - 10)}close`;
    for (let at = 0; at < text.length; at += size) kept.add(text.slice(at, at + size));
    expect(kept.text()).toBe("start\n… 9990 characters are left out …\nclose");
  });
});
