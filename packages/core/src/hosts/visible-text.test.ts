import { describe, expect, it } from "vitest";
import { toVisibleJson, toVisibleLine, toVisibleText } from "./visible-text.ts";

const deceptive: readonly (readonly [string, string, string])[] = [
  ["an escape that clears the screen", "\u001b[2Jx", "\\u{1b}[2Jx"],
  ["a title", "\u001b]0;safe\u0007", "\\u{1b}]0;safe\\u{7}"],
  [
    "a hyperlink",
    "\u001b]8;;https://evil.test\u001b\\ok",
    "\\u{1b}]8;;https://evil.test\\u{1b}\\ok",
  ],
  ["the clipboard", "\u001b]52;c;cm0=\u0007", "\\u{1b}]52;c;cm0=\\u{7}"],
  ["an escape in one character", "\u009b2J", "\\u{9b}2J"],
  ["a carriage return", "rm -rf ~\rls", "rm -rf ~\\u{d}ls"],
  ["backspaces", "rm\b\bls", "rm\\u{8}\\u{8}ls"],
  ["a turn of direction", "a\u202egnp.exe", "a\\u{202e}gnp.exe"],
  ["an isolate", "a\u2066b\u2069", "a\\u{2066}b\\u{2069}"],
  ["a zero-width joiner", "pay\u200dpal", "pay\\u{200d}pal"],
  ["tag characters", "ok\u{e0041}", "ok\\u{e0041}"],
  ["a line separator", "a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
  ["a filler", "a\u3164b\u115f\uffa0", "a\\u{3164}b\\u{115f}\\u{ffa0}"],
  ["a joiner of graphemes", "a\u034fb", "a\\u{34f}b"],
  ["a variation selector", "a\ufe01b\u{e0101}", "a\\u{fe01}b\\u{e0101}"],
  ["half a character", "a\ud800b", "a\\u{d800}b"],
  ["NUL and DEL", "a\0b\u007f", "a\\u{0}b\\u{7f}"],
];

describe("toVisibleText", () => {
  it.each(deceptive)("shows %s as its code", (_, text, shown) => {
    expect(toVisibleText(text)).toBe(shown);
    expect(toVisibleLine(text)).toBe(shown);
  });

  it.each(["", "two\nlines\tand a tab", "Grüße, 世界, שלום", "⚠️ 👍🏽 ½ é"])(
    "leaves %j as it is",
    (text) => {
      expect(toVisibleText(text)).toBe(text);
    },
  );

  it("keeps a line one line", () => {
    expect(toVisibleLine("ls\n  y  once")).toBe("ls\\u{a}  y  once");
  });
});

describe("toVisibleJson", () => {
  it.each(deceptive)("keeps the value of %s, in keys too", (_, text) => {
    const json = JSON.stringify({ [text]: text });
    const shown = toVisibleJson(json);
    expect(JSON.parse(shown)).toEqual(JSON.parse(json));
    expect(shown).toMatch(/^[\x20-\x7e]*$/u);
  });
});
