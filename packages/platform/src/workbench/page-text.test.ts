import { describe, expect, it } from "vitest";
import { toVisibleParts } from "../../assets/visible-text.js";

const show = (text: string): string =>
  toVisibleParts(text)
    .map((part) => (part.escaped ? `<${part.text}>` : part.text))
    .join("");

describe("toVisibleParts", () => {
  it.each(["", "plain text", "two\nlines\tand a tab", "Grüße, 世界, שלום", "⚠️ 👍🏽 ½"])(
    "leaves %j as it is",
    (text) => {
      expect(show(text)).toBe(text);
    },
  );

  it.each([
    ["a terminal's escape", "\u001b[2J", "<\\u{1b}>[2J"],
    ["a carriage return", "safe\rdanger", "safe<\\u{d}>danger"],
    ["a C1 control", "\u009b", "<\\u{9b}>"],
    ["a turn of direction", "a\u202eb\u2066c", "a<\\u{202e}>b<\\u{2066}>c"],
    ["a zero-width space", "pay\u200bpal", "pay<\\u{200b}>pal"],
    ["a byte order mark", "\ufefftext", "<\\u{feff}>text"],
    ["tag characters", "ok\u{e0041}\u{e007f}", "ok<\\u{e0041}><\\u{e007f}>"],
    ["hidden variation selectors", "a\ufe01\u{e0101}\ufe0f", "a<\\u{fe01}><\\u{e0101}><\\u{fe0f}>"],
    ["a line separator", "a\u2028b", "a<\\u{2028}>b"],
    ["a filler that looks empty", "a\u3164b", "a<\\u{3164}>b"],
    ["half a character", "a\ud800b", "a<\\u{d800}>b"],
  ])("shows %s as its code", (_what, text, shown) => {
    expect(show(text)).toBe(shown);
  });
});
