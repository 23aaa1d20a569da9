import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanWebLine, cleanWebText } from "./clean-web-text.ts";

const tagged = (text: string): string =>
  [...text].map((each) => String.fromCodePoint(0xe0000 + (each.codePointAt(0) ?? 0))).join("");

const persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645";
const hindi = "\u0915\u094d\u200d\u0937";
const family = "\u{1f469}\u200d\u{1f469}\u200d\u{1f467} and \u2764\ufe0f\u200d\u{1f525}";

describe("cleanWebText", () => {
  it.each([
    ["terminal sequences", "a\u001b[31mb\u0007\u009b2Jc", "a[31mb2Jc"],
    ["NUL and other controls", "a\u0000b\u0008c\u007fd", "abcd"],
    ["what turns the direction", "a\u202eb\u2066c\u2069\u061cd\u200f", "abcd"],
    ["zero-width characters", "ig\u200bno\u2060re\ufeff m\u200de\u200c", "ignore me"],
    ["words in tags", `a${tagged("ignore all")}b`, "ab"],
    ["words in selectors", "a\u{e0100}\u{e01ef}\ufe01b", "ab"],
    ["soft hyphens", "Donau\u00addampf", "Donaudampf"],
    ["letters without a shape", "a\u3164\u115f\uffa0b", "ab"],
    ["half characters", "a\ud800b", "a\ufffdb"],
    ["line breaks of all kinds", "a\r\nb\rc\u2028d\u0085e\tf\n", "a\nb\nc\nd\ne\tf\n"],
    ["joiners in Persian", persian, persian],
    ["joiners in Hindi", hindi, hindi],
    ["families", family, family],
    ["joiners in a row", "\u06cc\u200c\u200d\u200c\u062e", "\u06cc\u062e"],
    ["flags", "\u{1f1e9}\u{1f1ea}", "\u{1f1e9}\u{1f1ea}"],
    [
      "other scripts",
      "\u00dcn\u00efc \u65e5\u672c \u05e2\u05d1",
      "\u00dcn\u00efc \u65e5\u672c \u05e2\u05d1",
    ],
  ])("of %s", (_, text, cleaned) => {
    expect(cleanWebText(text)).toBe(cleaned);
  });

  it("removes invisible characters", () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.constantFrom("\u200d", "\u200c", "\u202e", "\u{e0041}", "\u001b", "a", "\u064a", "\ufeff"),
    );
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const cleaned = cleanWebText(parts.join(""));
        expect(cleaned).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
        expect(cleaned).not.toMatch(/[\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/u);
        expect(cleaned).not.toMatch(/[ -~][\u200c\u200d]|[\u200c\u200d]{2}/u);
        expect(cleaned.isWellFormed()).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("takes its time in proportion to the text", () => {
    expect(cleanWebText("\u200d\u200c\u202ea\r".repeat(400_000)).length).toBe(800_000);
  });
});

describe("cleanWebLine", () => {
  it("makes one line of it", () => {
    expect(cleanWebLine(" a\n\tb\u00a0 c\u200b ")).toBe("a b c");
  });
});
