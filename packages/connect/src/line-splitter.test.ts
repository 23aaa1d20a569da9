import { describe, expect, it } from "vitest";
import { createLineSplitter } from "./line-splitter.ts";

describe("createLineSplitter", () => {
  it("assembles lines however they are cut, even within a character", () => {
    const bytes = Buffer.from('{"a":"ä😀"}\n\nsecond\nrest');
    for (const size of [1, 2, 3, 7, 100]) {
      const lines = createLineSplitter(100);
      const taken: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        taken.push(...(lines.take(bytes.subarray(at, at + size)) ?? []));
      }
      expect(taken).toEqual(['{"a":"ä😀"}', "", "second"]);
    }
  });

  it("copies bytes whose buffer may be reused", () => {
    const lines = createLineSplitter(100);
    const buffer = Buffer.from("ab");
    lines.take(buffer);
    buffer.fill("x");
    expect(lines.take(Buffer.from("\n"))).toEqual(["ab"]);
  });

  it("returns undefined as soon as a line is too long, finished or not", () => {
    expect(createLineSplitter(3).take(Buffer.from("abc\n"))).toEqual(["abc"]);
    expect(createLineSplitter(3).take(Buffer.from("abcd\n"))).toBeUndefined();
    const lines = createLineSplitter(3);
    expect(lines.take(Buffer.from("ab"))).toEqual([]);
    expect(lines.take(Buffer.from("cd"))).toBeUndefined();
  });
});
