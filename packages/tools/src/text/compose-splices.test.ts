import fc from "fast-check";
import { expect, it } from "vitest";
import { composeSplices } from "./compose-splices.ts";
import { type Splice, spliceText } from "./text-document.ts";

it("composes splices to ones that do the same at once", () => {
  fc.assert(
    fc.property(texts, places, places, (before, one, other) => {
      const first = toSplices(before, one);
      const between = spliceText(before, first);
      const then = toSplices(between, other);
      const composed = composeSplices(first, then);
      expect(spliceText(before, composed)).toBe(spliceText(between, then));
      for (const [at, splice] of composed.entries()) {
        expect(splice.start).toBeGreaterThanOrEqual(composed[at - 1]?.end ?? 0);
        expect(splice.end).toBeGreaterThanOrEqual(splice.start);
        expect(splice.end).toBeLessThanOrEqual(before.length);
      }
    }),
    { numRuns: 2_000 },
  );
});

const texts = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 20 });
const places = fc.array(fc.tuple(fc.nat(8), fc.nat(5), texts), { maxLength: 4 });

function toSplices(text: string, parts: readonly (readonly [number, number, string])[]): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  for (const [gap, length, replacement] of parts) {
    const start = Math.min(at + gap, text.length);
    at = Math.min(start + length, text.length);
    splices.push({ start, end: at, text: replacement });
  }
  return splices;
}
