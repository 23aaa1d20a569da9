import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "./compile-pattern.ts";

function native(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

/** As the language has it: V8 also looks for matches that begin inside a character. */
function testByCharacters(source: string, text: string): boolean {
  const pattern = new RegExp(source, "uy");
  const starts = [0];
  for (const character of text) starts.push((starts.at(-1) as number) + character.length);
  return starts.some((start) => {
    pattern.lastIndex = start;
    return pattern.test(text);
  });
}

describe("compilePattern", () => {
  it.each([
    ["^\\p{L}+$", ["Ada", "ümlaut", "漢字", "a1", ""]],
    ["\\P{Lu}", ["A", "a", "😀"]],
    ["^\\d{4}-\\d{2}-\\d{2}$", ["2024-01-31", "2024-1-31", "x2024-01-31"]],
    [
      "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$",
      ["123e4567-e89b-12d3-a456-426614174000", "123e4567"],
    ],
    ["^[a-z0-9]+(?:-[a-z0-9]+)*$", ["a-b-c", "a--b", "-a"]],
    ["^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{8,}$", ["Passw0rdx", "password1", "Passw0rd x", "P0"]],
    ["(?<=\\$)\\d+(?<!0)$", ["$12", "12", "$10", "€12"]],
    ["^(?!.*\\.\\.)[\\w.+-]+@[\\w-]+\\.[\\w.-]+$", ["a@b.co", "a..b@b.co", "a@b"]],
    ["^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$", ["a.b@c.de", "a@b"]],
    ["^\\-?\\d+\\_\\@$", ["-5_@", "5_@", "5"]],
    ["^.$", ["a", "😀", "\n", "\u2028", ""]],
    ["^[^]$", ["a", "\n", "😀"]],
    ["[]", ["", "a"]],
    ["^\\u{1F600}\\uD83D\\uDE00\\u0041\\x41\\cJ\\0$", ["😀😀AA\n\0", "😀"]],
    ["a{,5}", ["a{,5}", "aaa"]],
    ["^\\u{61}$", ["a", "u".repeat(61)]],
    ["^[\\u{61}-\\u{7a}]+$", ["abc", "ABC"]],
    ["\\bfoo\\b|\\Bbar", ["a foo b", "foobar", "bar", "xbar"]],
    ["^(?<year>\\d{4})$", ["2024", "24"]],
    ["^(a|b|)+?c$", ["c", "abc", "abd"]],
    ["^(?:a?){3}a{3}$", ["aaa", "aa", "aaaaaaa"]],
    ["x*", [""]],
    ["^$", ["", "a"]],
    ["(?:(?=a)|b)*a$", ["bba", "b"]],
    ["^(?:[[:alpha:]]|\\/)$", ["a]", ":]", "/", "z"]],
    ["^\\s$", ["\u00a0", "\ufeff", " ", "x"]],
  ])("agrees with the usual engine about %s", (source, texts) => {
    for (const text of texts) {
      expect([text, compilePattern(source).test(text)]).toEqual([text, native(source).test(text)]);
    }
  });

  it("agrees with the usual engine about any pattern of small parts", () => {
    const atom = fc.constantFrom(
      ...["a", "b", "😀", ".", "\\d", "\\w", "\\s", "[ab]", "[^a]", "\\p{L}", "\\P{L}", "[^😀]"],
      ...["^", "$", "\\b", "\\B", "1", "\\u{1F600}", "[\\p{L}\\d]"],
    );
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        atom,
        fc.array(tie("node"), { maxLength: 3 }).map((parts) => parts.join("")),
        fc
          .array(tie("node"), { minLength: 1, maxLength: 3 })
          .map((parts) => `(?:${parts.join("|")})`),
        fc
          .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"))
          .map(([part, repeat]) => `(${part})${repeat}`),
        fc
          .tuple(fc.constantFrom("?=", "?!", "?<=", "?<!"), tie("node"))
          .map(([look, part]) => `(${look}${part})`),
      ),
    }));
    const text = fc
      .array(fc.constantFrom("a", "b", "1", " ", "😀", "\ud83d", "\n", "é"), { maxLength: 6 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(node, text, (source, given) => {
        fc.pre(source.length < 200);
        expect(compilePattern(source).test(given)).toBe(testByCharacters(source, given));
      }),
      { numRuns: 3_000 },
    );
  });

  // The usual engine would take longer than anyone waits.
  it.each([
    ["(a+)+$", `${"a".repeat(100_000)}!`],
    ["(\\p{L}+)+$", `${"é".repeat(100_000)}!`],
    ["^(a|a|aa)*$", `${"a".repeat(100_000)}!`],
    ["^a*a*a*a*b", "a".repeat(100_000)],
    ["^(?=(a+)+b)", "a".repeat(100_000)],
    ["(?<=(a|aa)+)b$", "a".repeat(100_000)],
    ["\\s+$", `${" ".repeat(200_000)}x`],
    ["(x+x+)+y", "x".repeat(50_000)],
    ["^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$", "a".repeat(50_000)],
  ])("ends in good time: %s", (source, text) => {
    expect(compilePattern(source).test(text)).toBe(false);
  });

  it("reports its steps, so that a caller can stop it", () => {
    let steps = 0;
    const spend = (more: number): void => {
      steps += more;
      if (steps > 10_000) throw new Error("enough");
    };
    const text = "a".repeat(1_000_000);
    for (const source of ["^a*a*a*b", "a{500}b", "(?=.*b)a"]) {
      steps = 0;
      const pattern = compilePattern(source);
      expect(() => pattern.test(text, spend)).toThrow("enough");
      // Stopped in the middle, it starts afresh.
      expect(pattern.test("aab")).toBe(native(source).test("aab"));
    }
  });

  it.each([
    ["^(a*)\\1$", /"\\\\1" refers back/u],
    ["(?<x>a)\\k<x>", /refers back/u],
    ["^(a{0,999}){0,999}$", /more than 10000 steps/u],
    ["(?:){0,4294967295}", /more than 10000 steps/u],
    ["(?:){4294967295}", /more than 10000 steps/u],
    ["(?:(?:(?:a{99}){99}){99}){99}", /more than 10000 steps/u],
    ["(?=(a{0,999}){0,999})", /more than 10000 steps/u],
    ["(?i:a)", /changes flags/u],
    ["(", /not a regular expression/u],
    ["a".repeat(2_001), /longer than 2000/u],
  ])("refuses %s", (source, why) => {
    expect(() => compilePattern(source)).toThrow(why);
  });
});
