import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeLines } from "./merge-lines.ts";

const encoder = new TextEncoder();

function merge(base: string, ours: string, theirs: string): unknown {
  const sides = { base, ours, theirs };
  const merged = mergeLines({
    base: encoder.encode(sides.base),
    ours: encoder.encode(sides.ours),
    theirs: encoder.encode(sides.theirs),
  });
  return "content" in merged ? new TextDecoder().decode(merged.content) : merged.conflicts;
}

/** One line a letter. */
function lines(letters: string): string {
  return Array.from(letters, (letter) => `${letter}\n`).join("");
}

describe("mergeLines", () => {
  it.each([
    ["nothing", ["abc", "abc", "abc"], "abc"],
    ["their change alone", ["abc", "abc", "aXc"], "aXc"],
    ["our change alone", ["abc", "aXc", "abc"], "aXc"],
    ["changes of different lines", ["abcdef", "aXcdef", "abcdYf"], "aXcdYf"],
    ["changes of neighbouring lines", ["abcd", "aXcd", "abYd"], "aXYd"],
    ["our addition before their change", ["abc", "aXbc", "aYc"], "aXYc"],
    ["our addition after their change", ["abc", "abXc", "aYc"], "aYXc"],
    ["their addition after our change", ["abc", "aXc", "abYc"], "aXYc"],
    ["their addition before our change", ["abc", "aXc", "aYbc"], "aYXc"],
    ["removals side by side", ["abcd", "acd", "abd"], "ad"],
    ["what both did alike", ["abc", "aXc", "aXc"], "aXc"],
    ["what both did alike beside what they did", ["abcdef", "aXcdef", "aXcdYf"], "aXcdYf"],
    ["additions at both ends", ["b", "Xb", "bY"], "XbY"],
    ["several changes", ["abcdefgh", "Xbcdefg", "abYdeZh"], "XbYdeZ"],
  ])("puts together %s", (_case, [base = "", ours = "", theirs = ""], merged) => {
    expect(merge(lines(base), lines(ours), lines(theirs))).toBe(lines(merged));
  });

  it.each([
    ["two changes of a line", ["abc", "aXc", "aYc"], [[2, 2]]],
    ["a change inside removed lines", ["abcde", "abXde", "ae"], [[3, 3]]],
    ["two additions at one place", ["ab", "aXYb", "aZb"], [[2, 3]]],
    ["a removal of a changed line", ["abc", "ac", "aYc"], [[2, 2]]],
    ["two contents of nothing", ["", "XY", "Z"], [[1, 2]]],
    [
      "two places",
      ["abcdef", "aXcdYf", "aVcdWf"],
      [
        [2, 2],
        [5, 5],
      ],
    ],
  ])("refuses %s and names the lines", (_case, [base = "", ours = "", theirs = ""], conflicts) => {
    expect(merge(lines(base), lines(ours), lines(theirs))).toEqual(conflicts);
  });

  it("keeps every line ending and a missing last one", () => {
    expect(merge("a\r\nb\nc\rd", "A\r\nb\nc\rd", "a\r\nb\nc\rd\n")).toBe("A\r\nb\nc\rd\n");
  });

  it("keeps bytes that are not text, and UTF-16 whole", () => {
    const bytes = (...parts: (number | string)[]): Uint8Array =>
      Uint8Array.from(
        parts.flatMap((part) => (typeof part === "number" ? [part] : [...encoder.encode(part)])),
      );
    expect(
      mergeLines({
        base: bytes(0xff, "\n", 0x80, "\n", 0x81),
        ours: bytes(0xfd, "\n", 0x80, "\n", 0x81),
        theirs: bytes(0xff, "\n", 0x80, "\n", 0x82),
      }),
    ).toEqual({ content: bytes(0xfd, "\n", 0x80, "\n", 0x82) });
    // U+0A0A and U+010A have the byte of a line break and are none.
    for (const [mark, littleEndian] of [
      ["\ufeff", true],
      ["\ufeff", false],
    ] as const) {
      const wide = (text: string): Uint8Array => {
        const view = new DataView(new ArrayBuffer(2 * (text.length + 1)));
        for (const [at, unit] of Array.from(mark + text, (one) => one.charCodeAt(0)).entries()) {
          view.setUint16(2 * at, unit, littleEndian);
        }
        return new Uint8Array(view.buffer);
      };
      expect(
        mergeLines({
          base: wide("\u0a0a\u010ax\na\nb\n"),
          ours: wide("\u0a0a\u010ay\na\nb\n"),
          theirs: wide("\u0a0a\u010ax\na\nc\n"),
        }),
      ).toEqual({ content: wide("\u0a0a\u010ay\na\nc\n") });
    }
  });

  it("gives the one side where the other did nothing, whatever it did", () => {
    const content = fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "d"), { maxLength: 30 });
    fc.assert(
      fc.property(content, content, (one, other) => {
        const [base, changed] = [one.join(""), other.join("")];
        expect(merge(base, base, changed)).toBe(changed);
        expect(merge(base, changed, base)).toBe(changed);
        expect(merge(base, changed, changed)).toBe(changed);
      }),
    );
  });

  it("makes the changes of both sides wherever they touch different lines", () => {
    // Every line is there once, so what a side did is known exactly.
    const side = fc.array(fc.constantFrom("keep", "change", "remove", "add"), {
      minLength: 40,
      maxLength: 40,
    });
    const apply = (actions: readonly string[], name: string): string =>
      actions.map((action, index) => applyAction(action, `${name}${index}`, `${index}\n`)).join("");
    fc.assert(
      fc.property(
        side,
        side,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        (a, b, whose) => {
          // Two lines that one side changes, then two unchanged ones, so that insertions never collide.
          const isOurs = (index: number): boolean => whose[Math.floor(index / 4)] === true;
          const isFree = (index: number): boolean => index % 4 > 1;
          const ours = a.map((action, index) =>
            !isFree(index) && isOurs(index) ? action : "keep",
          );
          const theirs = b.map((action, index) =>
            !isFree(index) && !isOurs(index) ? action : "keep",
          );
          const both = ours.map((action, index) => (action === "keep" ? theirs[index] : action));
          const name = (index: number): string => (isOurs(index) ? "o" : "t");
          const base = ours.map((_, index) => `${index}\n`).join("");
          const expected = both
            .map((action, index) =>
              applyAction(action ?? "", `${name(index)}${index}`, `${index}\n`),
            )
            .join("");
          expect(merge(base, apply(ours, "o"), apply(theirs, "t"))).toBe(expected);
        },
      ),
    );
  });
});

function applyAction(action: string, fresh: string, line: string): string {
  switch (action) {
    case "change":
      return `${fresh}\n`;
    case "remove":
      return "";
    case "add":
      return `${line}${fresh}\n`;
    default:
      return line;
  }
}
