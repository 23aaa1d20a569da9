import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countBrokenStart,
  countWholeBytes,
  decodeText,
  detectEncoding,
  requireText,
  type TextEncoding,
} from "./text-encoding.ts";

const encoder = new TextEncoder();
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

function encode(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding === "utf-8") return encoder.encode(text);
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) {
    view.setUint16(at * 2, text.charCodeAt(at), encoding === "utf-16le");
  }
  return new Uint8Array(view.buffer);
}

describe("detectEncoding", () => {
  it.each<[string, Uint8Array, TextEncoding]>([
    ["nothing", bytes(), "utf-8"],
    ["plain text", encoder.encode("hello"), "utf-8"],
    ["a UTF-8 mark", bytes(0xef, 0xbb, 0xbf, 0x61), "utf-8"],
    ["a UTF-16 mark", bytes(0xff, 0xfe, 0x61, 0), "utf-16le"],
    ["a big-endian UTF-16 mark", bytes(0xfe, 0xff, 0, 0x61), "utf-16be"],
    [
      "a NUL after 8 KB",
      Uint8Array.from({ length: 9_000 }, (_, at) => (at < 8_192 ? 65 : 0)),
      "utf-8",
    ],
  ])("knows %s", (_, head, encoding) => {
    expect(detectEncoding(head, "/w/a")).toBe(encoding);
  });

  it.each<[string, Uint8Array]>([
    ["a NUL", bytes(0x61, 0, 0x62)],
    ["a UTF-32 mark", bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    [
      "a NUL at the end of 8 KB",
      Uint8Array.from({ length: 8_192 }, (_, at) => (at < 8_191 ? 65 : 0)),
    ],
  ])("refuses %s as binary", (_, head) => {
    expect(() => detectEncoding(head, "/w/a")).toThrow(
      expect.objectContaining({ code: "binary", absolutePath: "/w/a" }),
    );
  });
});

describe("requireText", () => {
  it("lets pass text with a few undecodable bytes, and refuses what is full of them", () => {
    expect(() => requireText("caf\ufffd au lait", "/w/a")).not.toThrow();
    expect(() => requireText("\ufffda\ufffdb", "/w/a")).toThrow(
      expect.objectContaining({ code: "binary" }),
    );
  });
});

describe("decodeText", () => {
  it("leaves out the mark at the beginning of a file, and only there", () => {
    const marked = encoder.encode("\ufeffa");
    expect(decodeText(marked, "utf-8", 0)).toBe("a");
    expect(decodeText(marked, "utf-8", 10)).toBe("\ufeffa");
    expect(decodeText(bytes(0xfe, 0xff, 0, 0x61), "utf-16be", 0)).toBe("a");
  });
});

describe("countWholeBytes and countBrokenStart", () => {
  it.each<TextEncoding>(["utf-8", "utf-16le", "utf-16be"])(
    "cut %s only between characters",
    (encoding) => {
      const text = fc.string({ unit: fc.constantFrom("a", "é", "\u20ac", "😀"), maxLength: 12 });
      fc.assert(
        fc.property(text, fc.nat(50), fc.nat(50), (whole, from, length) => {
          const all = encode(whole, encoding);
          const offset = Math.min(from, all.length);
          const part = all.subarray(offset, offset + length);
          const start = countBrokenStart(part, encoding, offset);
          const rest = part.subarray(start);
          const shown = decodeText(rest.subarray(0, countWholeBytes(rest, encoding)), encoding, 1);
          expect(shown).not.toContain("\ufffd");
          expect(whole).toContain(shown);
          // At most one character is lost at each side.
          expect(encode(shown, encoding).length).toBeGreaterThan(part.length - 8);
        }),
      );
    },
  );

  it("keep what is no text at all as it is", () => {
    expect(countWholeBytes(bytes(0x80, 0x80, 0x80, 0x80), "utf-8")).toBe(4);
    expect(countBrokenStart(bytes(0x80, 0x80, 0x80, 0x80), "utf-8", 5)).toBe(3);
    expect(countWholeBytes(bytes(), "utf-8")).toBe(0);
    expect(countWholeBytes(bytes(), "utf-16le")).toBe(0);
  });
});
