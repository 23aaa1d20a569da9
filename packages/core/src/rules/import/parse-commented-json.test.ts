import { describe, expect, it } from "vitest";
import { parseCommentedJson } from "./parse-commented-json.ts";

describe("parseCommentedJson", () => {
  it.each<[string, string, unknown]>([
    ["plain JSON", '{"a": [1, "x"]}', { a: [1, "x"] }],
    ["comments of both kinds", '{ // one\n "a": /* two\n lines */ 1 }', { a: 1 }],
    [
      "texts that look like comments",
      '["https://x.y", "/* no */", "a\\"//b"]',
      ["https://x.y", "/* no */", 'a"//b'],
    ],
    ["commas after the last element", '{"a": [1, 2,], // end\n }', { a: [1, 2] }],
    ["texts that look like such commas", '[",]", ",}"]', [",]", ",}"]],
    ["a byte order mark", "\ufeff[]", []],
  ])("reads %s", (_, text, value) => {
    expect(parseCommentedJson(text)).toEqual(value);
  });

  it.each(["{", '{"a": /* 1 }', "// nothing", "[1 2]"])("refuses %j", (text) => {
    expect(() => parseCommentedJson(text)).toThrow(SyntaxError);
  });

  it("names the place of an error as it is in the file", () => {
    const text = '{\n  // a comment\n  "a": 1,\n  "b" 2\n}';
    expect(() => parseCommentedJson(text)).toThrow(/line 4 column 7/u);
  });
});
