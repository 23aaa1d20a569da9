import { describe, expect, it } from "vitest";
import { toPlainData, toPlainLine, toPlainText } from "./plain-text.ts";

describe("toPlainText", () => {
  it.each([
    ["colours", "a\u001b[1;31mred\u001b[0m", "ared"],
    ["a sequence of one byte", "a\u009b2Jb", "ab"],
    ["a title", "a\u001b]0;evil\u0007b", "ab"],
    ["a title that ends otherwise", "a\u001b]0;evil\u001b\\b", "ab"],
    ["what goes to the clipboard", "a\u001b]52;c;aGk=\u0007b", "ab"],
    ["a sequence without an end", "a\u001b]0;evil", "a0;evil"],
    ["an escape at the end", "a\u001b", "a"],
    ["a bell and a backspace", "a\u0007\u0008b", "ab"],
    ["other line ends", "a\r\nb\rc", "a\nb\nc"],
    ["direction", "a\u202Eb\u2066c\u200Fd", "abcd"],
    ["no width", "a\u200Bb\u2060c\uFEFFd", "abcd"],
    ["tags", "a\u{e0041}\u{e0020}b", "ab"],
    ["variation selectors", "a\u{e0100}b\uFE01c", "abc"],
    ["joiners between Latin letters", "a\u200Db\u200Cc", "abc"],
    ["half a character", "a\ud83d", "a\ufffd"],
  ])("removes %s", (_, text, plain) => {
    expect(toPlainText(text)).toBe(plain);
  });

  it.each([
    ["a family", "👨‍👩‍👧"],
    ["a heart in colour", "❤️"],
    ["Persian", "می‌خواهم"],
    ["tabs and lines", "a\tb\nc"],
  ])("keeps %s", (_, text) => {
    expect(toPlainText(text)).toBe(text);
  });

  it("cuts between characters", () => {
    expect(toPlainText("abcdef", 4)).toBe("abc…");
    expect(toPlainText("ab😀😀", 4)).toBe("ab…");
    expect(toPlainText("abcd", 4)).toBe("abcd");
  });

  it("makes one line where one is wanted", () => {
    expect(toPlainLine(" a\n\nb\u2028c ", 100)).toBe("a b c");
  });

  it("goes through data, names too", () => {
    const data = { "a\u200B": ["b\u001b[1m", 5, null, { c: true }] };
    expect(toPlainData(data)).toEqual({ a: ["b", 5, null, { c: true }] });
  });
});
