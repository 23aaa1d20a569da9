import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applySplice, findSplice } from "./splice.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a splice", () => {
  it.each([
    { before: "abcdef", after: "abXYef", head: 2, tail: 2, inserted: "XY" },
    { before: "aaaa", after: "aaaaaa", head: 4, tail: 0, inserted: "aa" },
    { before: "aaaaaa", after: "aaaa", head: 4, tail: 0, inserted: "" },
    { before: "", after: "new", head: 0, tail: 0, inserted: "new" },
    { before: "old", after: "", head: 0, tail: 0, inserted: "" },
    { before: "same", after: "same", head: 4, tail: 0, inserted: "" },
  ])("of $before to $after keeps what is alike", ({ before, after, ...splice }) => {
    const inserted = bytes(splice.inserted);
    expect(findSplice(bytes(before), bytes(after))).toEqual({ ...splice, inserted });
  });

  it("makes the one content of the other, whatever they are", () => {
    const letters = fc.uint8Array({ max: 2, maxLength: 300 });
    const long = fc.tuple(letters, fc.nat(100_000), letters).map(([start, count, end]) => {
      return new Uint8Array([...start, ...new Uint8Array(count).fill(7), ...end]);
    });
    const content = fc.oneof(letters, long);
    fc.assert(
      fc.property(content, content, (before, after) => {
        const splice = findSplice(before, after);
        expect(applySplice(before, splice)).toEqual(after);
        const replaced = before.length - splice.head - splice.tail;
        const isLeast = replaced === 0 || splice.inserted.length === 0;
        const atHead = before[splice.head] === splice.inserted[0];
        expect(isLeast || !atHead).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("does not fit bytes that are too few", () => {
    const splice = findSplice(bytes("abcdef"), bytes("abcXdef"));
    expect(applySplice(bytes("abc"), splice)).toBeUndefined();
    expect(applySplice(bytes("abc"), { ...splice, head: -1, tail: 1.5 })).toBeUndefined();
  });
});
