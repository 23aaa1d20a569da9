// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell's.
import { describe, expect, it } from "vitest";
import { toLiteral } from "./literal-word.ts";

describe("toLiteral", () => {
  it.each([
    ["rm", "rm"],
    ["r\\m", "rm"],
    ["r''m", "rm"],
    ['"r"m', "rm"],
    ["'r'\"m\"", "rm"],
    ["$'rm'", "rm"],
    ["$'\\x72\\155'", "rm"],
    ["$'a\\n\\t\\'\\\\'", "a\n\t'\\"],
    ["a\\\nb", "ab"],
    ['"a\\\nb"', "ab"],
    ['"a b"', "a b"],
    ["a\\ b", "a b"],
    ['"\\$x \\`y\\` \\"z\\" \\\\ \\n"', '$x `y` "z" \\ \\n'],
    ["'$x `y` \\ \"'", '$x `y` \\ "'],
    ["\\$x", "$x"],
    ["\\*", "*"],
    ["'*'", "*"],
    ["~", "/home/me"],
    ["~/a", "/home/me/a"],
    ['~/"a b"', "/home/me/a b"],
    ["'~'", "~"],
    ["\\~", "~"],
    ["a~", "a~"],
    ["HEAD~3", "HEAD~3"],
    ["HEAD^", "HEAD^"],
    ["HEAD@{1}", "HEAD@{1}"],
    ["{}", "{}"],
    ["'{a,b}'", "{a,b}"],
    ['"{1..3}"', "{1..3}"],
    ["[", "["],
    ["]", "]"],
    ["!", "!"],
    ["!x", "!x"],
    ["a=b", "a=b"],
    ["''", ""],
    ['""', ""],
    ["é✓", "é✓"],
  ])("knows what %j is", (text, value) => {
    expect(toLiteral(text, "/home/me")).toBe(value);
  });

  it.each([
    ...[
      "$x",
      '"$x"',
      "a$x",
      "${x}",
      '"${x}"',
      "$(rm)",
      '"$(rm)"',
      "`rm`",
      '"`rm`"',
      "$((1))",
      "$[1]",
      "$",
    ],
    ...["*", "a*", "?", "[a]", "a[0]", "a]", "+(a)", "!(a)", "@(a)", "*(a)", "?(a)"],
    ...["{a,b}", "a{,b}", "{1..3}", "a{b..d}", "{a,b", "\\{a,b}"],
    ...["~root", "~+", "~-", "~'/a'", "a=~/b", "a=b:~/c", "a+=~/b"],
    ...['$"a"', "$'\\u0072m'", "$'\\xff'", "$'\\0'", "$'\\cA'", "<(a)", ">(a)"],
    ...["a\\", "'a", '"a', "$'a", "a|b", "a;b", "a b", "a\nb", "a>b", "(a)"],
  ])("does not claim to know what %j is", (text) => {
    expect(toLiteral(text, "/home/me")).toBeUndefined();
  });

  it("knows no home where there is none", () => {
    expect(toLiteral("~/a", undefined)).toBeUndefined();
    expect(toLiteral("~/a", "/")).toBe("/a");
    expect(toLiteral("~", "/")).toBe("/");
  });
});
