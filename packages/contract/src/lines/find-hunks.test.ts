import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findHunks } from "./find-hunks.ts";

describe("findHunks", () => {
  it("finds nothing between equal texts", () => {
    expect(findHunks(["a", "b"], ["a", "b"])).toEqual([]);
    expect(findHunks([], [])).toEqual([]);
  });

  it("names what was put in, taken out and replaced", () => {
    expect(findHunks([..."abcdef"], [..."aXbdYf"])).toEqual([
      { start: 1, end: 1, newStart: 1, newEnd: 2 },
      { start: 2, end: 3, newStart: 3, newEnd: 3 },
      { start: 4, end: 5, newStart: 4, newEnd: 5 },
    ]);
  });

  it("keeps changes apart that lie far apart in a large text", () => {
    const before = Array.from({ length: 100_000 }, (_, index) => `${index}`);
    const after = before.toSpliced(99_000, 1).toSpliced(50_000, 0, "new").toSpliced(10, 1, "other");
    expect(findHunks(before, after)).toEqual([
      { start: 10, end: 11, newStart: 10, newEnd: 11 },
      { start: 50_000, end: 50_000, newStart: 50_000, newEnd: 50_001 },
      { start: 99_000, end: 99_001, newStart: 99_001, newEnd: 99_001 },
    ]);
  });

  it("leads from any text to any other, and says nothing of lines that stay", () => {
    const text = fc.array(fc.constantFrom(..."abcdef"), { maxLength: 60 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const made: string[] = [];
        let at = 0;
        for (const { start, end, newStart, newEnd } of findHunks(before, after)) {
          expect(end - start + newEnd - newStart).toBeGreaterThan(0);
          made.push(...before.slice(at, start), ...after.slice(newStart, newEnd));
          at = end;
        }
        expect([...made, ...before.slice(at)]).toEqual(after);
      }),
    );
  });
});
