import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Head, utf8Length, utf8Tail } from "./utf8.ts";

const encoder = new TextEncoder();
// Also halves of pairs, which a text may have and UTF-8 can't.
const text = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\ud83d", "\ude00", "\n") });

describe("utf8Length", () => {
  it("counts what an encoder writes", () => {
    fc.assert(
      fc.property(text, (sample) => {
        expect(utf8Length(sample)).toBe(encoder.encode(sample).length);
      }),
    );
  });
});

describe("utf8Head", () => {
  it("gives the longest head that fits, never half a character", () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 40 }), (sample, limit) => {
        const head = utf8Head(sample, limit);
        expect(sample.startsWith(head)).toBe(true);
        expect(utf8Length(head)).toBeLessThanOrEqual(limit);
        const [next = ""] = sample.slice(head.length);
        expect(next === "" || utf8Length(head + next) > limit).toBe(true);
      }),
    );
  });
});

describe("utf8Tail", () => {
  it("gives the longest tail that fits, never half a character", () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 40 }), (sample, limit) => {
        const tail = utf8Tail(sample, limit);
        expect(sample.endsWith(tail)).toBe(true);
        expect(utf8Length(tail)).toBeLessThanOrEqual(limit);
        if (tail === sample) return;
        const last = [...sample.slice(0, sample.length - tail.length)].at(-1);
        expect(utf8Length(`${last}${tail}`)).toBeGreaterThan(limit);
      }),
    );
  });
});
