import { utf8Length } from "@haft/contract/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineWindow } from "./line-window.ts";

const roomy = { first: 1, limit: 2_000, maxBytes: 200 * 1024 };

function fill(pieces: readonly string[], range = roomy): LineWindow {
  const window = new LineWindow(range);
  for (const [index, text] of pieces.entries()) {
    if (window.isComplete) break;
    window.push(text, { bytes: utf8Length(text), isLast: index === pieces.length - 1 });
  }
  return window;
}

describe("LineWindow", () => {
  it.each<[string, string, number]>([
    ["", "", 0],
    ["\n", "1: ", 1],
    ["a", "1: a", 1],
    ["a\n", "1: a", 1],
    ["a\nb", "1: a\n2: b", 2],
    ["a\n\nb\n", "1: a\n2: \n3: b", 3],
    ["a\r\nb\r\n", "1: a\n2: b", 2],
    ["\r\n\r\n", "1: \n2: ", 2],
    ["a\rb\n", "1: a\rb", 1],
    ["a\r", "1: a", 1],
  ])("numbers the lines of %j", (text, content, ended) => {
    expect(fill([text])).toMatchObject({ content, ended, isComplete: false });
  });

  it("keeps the range and says where to continue", () => {
    const window = fill(["a\nb\nc\nd\n"], { ...roomy, first: 2, limit: 2 });
    expect(window).toMatchObject({ content: "2: b\n3: c", next: 4, ended: 4, isComplete: true });
  });

  it("is not complete where the text ends with the range", () => {
    expect(fill(["a\nb\n"], { ...roomy, limit: 2 }).isComplete).toBe(false);
    expect(fill(["a\n", "b"], { ...roomy, limit: 2 }).isComplete).toBe(false);
    expect(fill(["a\nb\nc"], { ...roomy, limit: 2 }).isComplete).toBe(true);
  });

  it("gives the same for a text in pieces as for one in one piece", () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.nat(60)),
        fc.integer({ min: 1, max: 8 }),
        (text, cuts, first) => {
          const range = { ...roomy, first, limit: 3 };
          const lines = text.replace(/\n$/u, "").split("\n");
          const expected = (text === "" ? [] : lines)
            .map((line, index) => `${index + 1}: ${line.replace(/\r$/u, "")}`)
            .slice(first - 1, first + 2)
            .join("\n");
          const places = [...new Set([0, ...cuts])].filter((at) => at <= text.length);
          const sorted = [...places.sort((a, b) => a - b), text.length];
          const pieces = sorted.slice(1).map((at, index) => text.slice(sorted[index], at));
          expect(fill([text], range).content).toBe(expected);
          expect(fill(pieces, range).content).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("clips a long line and says how much is missing", () => {
    const line = "x".repeat(2_000);
    expect(fill([line]).content).toBe(`1: ${line}`);
    expect(fill([`${line}\r\n`]).content).toBe(`1: ${line}`);
    expect(fill([`${line}y\nz`]).content).toBe(`1: ${line}... [1 more characters]\n2: z`);
    const pieces = [line, line, line, "\r", "\nz"];
    expect(fill(pieces).content).toBe(`1: ${line}... [4000 more characters]\n2: z`);
  });

  it("never clips in the middle of a character", () => {
    const line = `${"x".repeat(1_999)}😀`;
    expect(fill([`${line}y\n`]).content).toBe(`1: ${"x".repeat(1_999)}... [3 more characters]`);
  });

  it("stops before a line that would take too many bytes", () => {
    const range = { ...roomy, maxBytes: 15 };
    expect(fill(["aaa\nbbb\nccc\n"], range)).toMatchObject({
      content: "1: aaa\n2: bbb",
      next: 3,
      isComplete: true,
    });
    expect(fill(["aaa\néé\nccc\n"], range).content).toBe("1: aaa\n2: éé");
    expect(fill(["aaa\né\u20ac\nccc\n"], range).next).toBe(2);
  });

  it("shows at least one line, or a reader would never get past it", () => {
    expect(fill(["aaaaaaaaaaaaaaaaaaaaaaaaaa\nb\n"], { ...roomy, maxBytes: 5 }).next).toBe(2);
  });

  it("counts the marks of clipped lines too", () => {
    const text = `é${"x".repeat(2_000)}\n`.repeat(101);
    const window = fill([text], { ...roomy, limit: 101 });
    expect(utf8Length(window.content)).toBeLessThanOrEqual(roomy.maxBytes);
    expect(window.isComplete).toBe(true);
  });

  it("never shows more than it may, whatever the characters", () => {
    const maxBytes = 4_096;
    fc.assert(
      fc.property(fc.array(longLines, { maxLength: 40 }), (lines) => {
        const window = fill([lines.join("\n")], { first: 1, limit: 40, maxBytes });
        expect(new TextEncoder().encode(window.content).length).toBeLessThanOrEqual(maxBytes);
      }),
      { numRuns: 300 },
    );
  });
});

const texts = fc.string({ unit: fc.constantFrom("a", "é", "\n", "\r\n", "😀"), maxLength: 40 });
const longLines = fc
  .tuple(fc.constantFrom("a", "é", "\u20ac", "😀"), fc.nat(900))
  .map(([unit, count]) => unit.repeat(count));
