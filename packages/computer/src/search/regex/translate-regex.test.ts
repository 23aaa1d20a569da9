import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askRipgrep, findLines } from "../../test-support/matching-lines.ts";
import { randomLine, randomRegex, randomText } from "../../test-support/random-regex.ts";
import { type RegexMeaning, translateRegex } from "./translate-regex.ts";

const lines = fc.array(randomLine, { maxLength: 40 });
const expression: RegexMeaning = { literal: false, caseSensitive: true };

describe("translateRegex", () => {
  it("finds the lines that ripgrep finds, whatever the pattern", () => {
    fc.assert(fc.property(randomRegex, fc.boolean(), lines, compareToRipgrep), { numRuns: 150 });
  });

  it("finds the lines that ripgrep finds, whatever the text", () => {
    fc.assert(
      fc.property(randomText, fc.boolean(), lines, (text, caseSensitive, all) => {
        const args = ["-F", ...(caseSensitive ? [] : ["-i"]), "-e", text];
        const translated = translateRegex(text, { literal: true, caseSensitive });
        expect(translated && findLines(translated.regex, all)).toEqual(askRipgrep(args, all));
      }),
      { numRuns: 50 },
    );
  });

  it.each(
    [
      String.raw`foo fo+ ^foo foo$ ^$ ^\s*$ (?i)FOO foo|bar \bfoo\b \Boo \B \w+\( [^a-z]o \p{Greek} \pL\d`,
      String.raw`[[:upper:]][[:digit:]] [\d-] []a] [^]a] []-a] a{2,3} (?P<x>a)(?<y>b) \x41 \u{e9} \U000000e9`,
      String.raw`(?:foo|bar)+ \.\/\- a.c \W \D\S (?s)a.c (|a)b [a\-z] [\]\[] .*foo.* [^\n]o [\x00-\xff]o`,
    ].flatMap((row) => row.split(" ")),
  )("understands %s", (pattern) => {
    expect(translateRegex(pattern, expression)).toBeDefined();
    compareToRipgrep(pattern, true, samples);
    compareToRipgrep(pattern, false, samples);
  });

  it.each([
    ...String.raw`( a) [ [z-a] * a** a{1 a{2,1} \ \y \1 \<foo \b{start} \Afoo foo\z (?i:a) (?-i)a`.split(
      " ",
    ),
    ...String.raw`a(?i)b (?=a) (?<=a) [a&&b] [a--b] [a[b]] \n \x00 \p{Any} \u{d800} (?ii)a`.split(
      " ",
    ),
    "(?x)a b",
    "a\nb",
    "\ud800",
    "(?P<a>x)(?P<a>y)",
  ])("leaves %j to ripgrep, which knows it better or refuses it", (pattern) => {
    expect(translateRegex(pattern, expression)).toBeUndefined();
  });

  it.each(
    String.raw`x(a+)+b x(a|a)*b x(?:\w|a)*b x(a?){30}b x(\w+\s*)*x a{201} (?:a{100}){100} x.*x.*x.*x.*x.*x`.split(
      " ",
    ),
  )("leaves %s to ripgrep, which never takes long", (pattern) => {
    expect(translateRegex(pattern, expression)).toBeUndefined();
  });

  it("says what a matching line holds", () => {
    const required = (pattern: string, caseSensitive = true): unknown =>
      translateRegex(pattern, { literal: false, caseSensitive })?.required;
    expect(required("import .* from")).toEqual([["import "], [" from"]]);
    expect(required("Foo(Bar)?Bazz*")).toEqual([["foo"], ["baz"]]);
    expect(required("alpha|beta.gamma")).toEqual([["alpha", "gamma"]]);
    expect(required("alpha|b")).toEqual([]);
    expect(required("(?:abc)+[de]fgh")).toEqual([["abc"], ["fgh"]]);
    expect(required("x(?:abc)*x")).toEqual([]);
    expect(required("Größe und Maß")).toEqual([["größe und maß"]]);
    expect(required("Größe und Maß", false)).toEqual([["e und ma"]]);
  });

  it("recognizes a plain text", () => {
    expect(translateRegex("a\\.b", expression)?.text).toBe("a.b");
    expect(translateRegex("(?i)ab", expression)?.text).toBeUndefined();
    expect(translateRegex("a.b", expression)?.text).toBeUndefined();
  });

  it("knows which patterns can't tell a byte that is not UTF-8 from U+FFFD", () => {
    const stands = (pattern: string): unknown =>
      translateRegex(pattern, expression)?.standsReplacement;
    expect([stands("foo"), stands(String.raw`\w[a-z]\s`), stands("^x$")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([stands("a.b"), stands("[^a]"), stands(String.raw`\Ba`), stands("\ufffd")]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it("comes to an end on long lines", () => {
    const piece = fc.constantFrom("a", "ab", "a ", "aaé");
    fc.assert(
      fc.property(randomRegex, piece, (pattern, text) => {
        const translated = translateRegex(pattern, expression);
        const long = text.repeat(100);
        if (translated !== undefined) findLines(translated.regex, [long, `${long}!`]);
      }),
      { numRuns: 300 },
    );
  });
});

const samples = [
  ..." |foo|FOO|Bar foo|foo(1)|xfoox|a\tc|a\rc|abc|aab|B7|Á|é|𝒳|😀|λόγος|-|]|./-|ab|\r|A-z|[x".split(
    "|",
  ),
  "",
];

function compareToRipgrep(pattern: string, caseSensitive: boolean, all: readonly string[]): void {
  const translated = translateRegex(pattern, { literal: false, caseSensitive });
  if (translated === undefined) return;
  const args = [...(caseSensitive ? [] : ["-i"]), "-e", pattern];
  expect(findLines(translated.regex, all)).toEqual(askRipgrep(args, all));
}
