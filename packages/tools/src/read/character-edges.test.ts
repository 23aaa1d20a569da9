import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesBefore, countBrokenStart, countWholeBytes } from "./character-edges.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const nothing = new Uint8Array();

/** Characters of each length that an encoding has, as their bytes. */
const characters: Readonly<Record<string, readonly (readonly number[])[]>> = {
  "utf-8": [[0x61], [0xc3, 0xa9], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98, 0x80]],
  "utf-16le": [
    [0x61, 0],
    [0xac, 0x20],
    [0x3d, 0xd8, 0x00, 0xde],
  ],
  "utf-16be": [
    [0, 0x61],
    [0x20, 0xac],
    [0xd8, 0x3d, 0xde, 0x00],
  ],
  shift_jis: [[0x61], [0x0a], [0xb1], [0x93, 0xfa], [0x83, 0x5c], [0x83, 0x41]],
  "euc-jp": [[0x61], [0x0a], [0xc6, 0xfc], [0x8e, 0xb1], [0x8f, 0xb0, 0xa1]],
  gbk: [[0x61], [0x0a], [0xc4, 0xe3], [0x81, 0x40]],
  gb18030: [[0x61], [0x0a], [0xc4, 0xe3], [0x81, 0x30, 0x89, 0x38]],
  big5: [[0x61], [0x0a], [0xa4, 0xa4], [0xb3, 0x5c]],
  "euc-kr": [[0x61], [0x0a], [0xc7, 0xd1]],
  "windows-1252": [[0x61], [0xe9], [0x80]],
};

describe("countBrokenStart and countWholeBytes", () => {
  it.each(Object.entries(characters))("cut %s only between characters", (encoding, units) => {
    const text = fc.array(fc.constantFrom(...units), { maxLength: 40 });
    fc.assert(
      fc.property(text, fc.nat(80), fc.nat(60), (whole, from, length) => {
        const all = Uint8Array.from(whole.flat());
        const edges = new Set([0]);
        for (const unit of whole) edges.add(Math.max(...edges) + unit.length);
        const offset = Math.min(from, all.length);
        const part = all.subarray(offset, offset + length);
        const before = all.subarray(Math.max(0, offset - bytesBefore), offset);
        const start = countBrokenStart(part, { encoding, offset, before });
        if (part.length < 4) return;
        const end = start + countWholeBytes(part.subarray(start), encoding);
        expect(edges).toContain(offset + start);
        expect(edges).toContain(offset + end);
        // At most one character is lost at each side.
        expect(end - start).toBeGreaterThan(part.length - 8);
      }),
      { numRuns: 300 },
    );
  });

  it("keep what is not text at all as it is", () => {
    const broken = bytes(0x80, 0x80, 0x80, 0x80);
    expect(countWholeBytes(broken, "utf-8")).toBe(4);
    expect(countBrokenStart(broken, { encoding: "utf-8", offset: 5, before: nothing })).toBe(3);
    expect(countWholeBytes(nothing, "utf-8")).toBe(0);
    expect(countWholeBytes(nothing, "utf-16le")).toBe(0);
    expect(countWholeBytes(nothing, "shift_jis")).toBe(0);
  });
});
