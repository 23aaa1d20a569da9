import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCodec } from "./find-codec.ts";
import { openText } from "./text-document.ts";
import { TextStream } from "./text-stream.ts";

const encode = (text: string, encoding: string): Uint8Array =>
  findCodec(encoding).encode(text) as Uint8Array;

function decode(content: Uint8Array, size: number): { text: string; encoding: string } {
  const stream = new TextStream("/w/a");
  let text = "";
  for (let at = 0; at === 0 || at < content.length; at += size) {
    text += stream.push(content.subarray(at, at + size), at + size >= content.length);
  }
  return { text, encoding: stream.encoding };
}

describe("TextStream", () => {
  it.each(["utf-8", "shift_jis", "euc-jp"])(
    "shows in %s what an edit would see, wherever the chunks end",
    (encoding) => {
      const text = `${"plain\n".repeat(20)}// この関数は、与えられた文字列を解析します。\n`;
      const content = encode(text, encoding);
      // A chunk with half a character in it says nothing yet; real ones are larger.
      for (let size = 150; size <= content.length + 1; size++) {
        expect(decode(content, size)).toEqual({ text, encoding });
      }
      expect(openText(content, "/w/a")).toMatchObject({ text, encoding });
    },
  );

  it("leaves out the mark of the file and no other", () => {
    const text = "\ufeffa\ufeffb";
    expect(decode(encode(text, "utf-8"), 3).text).toBe("a\ufeffb");
    expect(decode(encode(text, "utf-16le"), 4)).toEqual({ text: "a\ufeffb", encoding: "utf-16le" });
  });

  it("shows broken places as such", () => {
    const content = Uint8Array.of(...encode("é è", "utf-8"), 0xe9, 0x20);
    expect(decode(content, 100)).toEqual({ text: "é è\ufffd ", encoding: "utf-8" });
  });

  it("gives the same text for UTF-8 in any chunks", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "é", "本", "😀", "\r\n"), maxLength: 40 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 30 }), (text, size) => {
        expect(decode(encode(text, "utf-8"), size).text).toBe(text);
      }),
    );
  });
});
