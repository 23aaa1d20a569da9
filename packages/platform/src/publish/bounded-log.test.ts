import { describe, expect, it } from "vitest";
import { createBoundedLog } from "./bounded-log.ts";

describe("a bounded log", () => {
  it("keeps a short text whole", () => {
    const kept = createBoundedLog(10);
    for (const letter of "abcdefghij") kept.add(letter);
    expect(kept.text()).toBe("abcdefghij");
  });

  it.each([1, 3, 100])(
    "keeps the beginning and the end of a long text, added %i characters at a time",
    (size) => {
      const kept = createBoundedLog(10);
      const text = `start${"x".repeat(10_000 - 10)}close`;
      for (let at = 0; at < text.length; at += size) kept.add(text.slice(at, at + size));
      expect(kept.text()).toBe("start\n… 9990 bytes are left out …\nclose");
    },
  );
});
