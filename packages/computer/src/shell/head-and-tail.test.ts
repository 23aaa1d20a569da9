import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeadAndTail } from "./head-and-tail.ts";

const part = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\n"), maxLength: 30 });

describe("HeadAndTail", () => {
  it("keeps the start and the end of any text, in whole characters", () => {
    fc.assert(
      fc.property(fc.array(part), fc.nat(20), fc.nat(20), (parts, head, tail) => {
        const kept = new HeadAndTail({ head, tail });
        for (const text of parts) kept.add(Buffer.from(text));
        const whole = parts.join("");
        const bytes = Buffer.byteLength(whole);
        const texts = kept.toTexts();
        expect(kept.totalBytes).toBe(bytes);
        expect(kept.hasRoom(0)).toBe(bytes <= head + tail);
        if (bytes <= head + tail) {
          expect(texts).toEqual({ head: whole, tail: "", omittedBytes: 0 });
          expect(kept.toBytes().toString()).toBe(whole);
          return;
        }
        expect(whole.startsWith(texts.head) && whole.endsWith(texts.tail)).toBe(true);
        const [headBytes, tailBytes] = [texts.head, texts.tail].map((text) =>
          Buffer.byteLength(text),
        ) as [number, number];
        expect(headBytes).toBeLessThanOrEqual(head);
        expect(tailBytes).toBeLessThanOrEqual(tail);
        // No more than one character of each is given up.
        expect(headBytes).toBeGreaterThan(head - 4);
        expect(tailBytes).toBeGreaterThan(tail - 4);
        expect(texts.omittedBytes).toBe(bytes - headBytes - tailBytes);
      }),
      { numRuns: 1000 },
    );
  });
});
