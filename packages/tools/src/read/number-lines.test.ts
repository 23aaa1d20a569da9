import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineWindow, maxLineLength } from "./line-window.ts";
import { numberLines } from "./number-lines.ts";

const range = { first: 1, limit: 50, maxBytes: 4_000 };

describe("numberLines", () => {
  it("says what the line window says, wherever it says anything", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "\n", "\n", "é", "😀", "\r", "\ufffd", "\ufeff"),
      maxLength: 200,
    });
    let answered = 0;
    fc.assert(
      fc.property(text, (sample) => {
        const quick = numberLines(sample, range, undefined);
        if (quick === undefined) return;
        answered++;
        const window = new LineWindow(range);
        window.push(sample, { bytes: undefined, isLast: true });
        expect(quick).toEqual({ content: window.content, lines: window.ended });
      }),
    );
    expect(answered).toBeGreaterThan(10);
  });

  it.each(["a", "a\n", "\n", "a\n\n", "\n\na"])("numbers %j as the line window does", (text) => {
    const window = new LineWindow(range);
    window.push(text, { bytes: undefined, isLast: true });
    expect(numberLines(text, range, undefined)).toEqual({
      content: window.content,
      lines: window.ended,
    });
  });

  it("numbers past the lines whose numbers it remembers", () => {
    const wide = { first: 1, limit: 9_000, maxBytes: 200_000 };
    const content = numberLines("x\n".repeat(3_000), wide, undefined)?.content.split("\n");
    expect([content?.at(9), content?.at(-1)]).toEqual(["10: x", "3000: x"]);
  });

  it.each([
    ["an empty text", "", range],
    ["carriage returns", "a\r\n", range],
    ["more lines than asked for", "a\n".repeat(51), range],
    ["a long line", `a\n${"a".repeat(maxLineLength + 1)}\nb`, { ...range, maxBytes: 100_000 }],
    ["a long last line", "a".repeat(maxLineLength + 1), { ...range, maxBytes: 100_000 }],
    ["what may be too much to show", "a".repeat(1_400), range],
    ["a window that starts later", "a\nb", { ...range, first: 2 }],
  ])("leaves %s to the line window", (_, text, how) => {
    expect(numberLines(text, how, undefined)).toBeUndefined();
  });
});
