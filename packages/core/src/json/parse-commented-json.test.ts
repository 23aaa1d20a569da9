import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CommentedJsonError, parseCommentedJson } from "./parse-commented-json.ts";

function findError(text: string): CommentedJsonError {
  try {
    parseCommentedJson(text);
  } catch (error) {
    if (error instanceof CommentedJsonError) return error;
    throw error;
  }
  throw new Error("The text was parsed.");
}

describe("parseCommentedJson", () => {
  it.each<[string, string, unknown]>([
    ["plain JSON", '{"a": [1, "x"]}', { a: [1, "x"] }],
    [
      "nested objects",
      '{"a": {"b": {}}, "c": [[], {"d": null}]}',
      { a: { b: {} }, c: [[], { d: null }] },
    ],
    ["comments of both kinds", '{ // one\n "a": /* two\n lines */ 1 }', { a: 1 }],
    [
      "texts that look like comments",
      '["https://x.y", "/* no */", "a\\"//b"]',
      ["https://x.y", "/* no */", 'a"//b'],
    ],
    ["commas after the last element", '{"a": [1, 2,], // end\n }', { a: [1, 2] }],
    ["texts that look like such commas", '[",]", ",}"]', [",]", ",}"]],
    ["a byte order mark", "\ufeff[]", []],
    ["the later of two properties with one name", '{"a": 1, "a": 2}', { a: 2 }],
  ])("reads %s", (_, text, value) => {
    expect(parseCommentedJson(text)).toEqual(value);
  });

  it("reads any JSON as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseCommentedJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    "",
    "{",
    '{"a": /* 1 }',
    "// nothing",
    "[1 2]",
    "[1] 2",
    "{'a': 1}",
    "[01]",
    '["a\nb"]',
  ])("refuses %j", (text) => {
    expect(() => parseCommentedJson(text)).toThrow(SyntaxError);
  });

  it("names the line and column of the mistake", () => {
    const text = '{\n  // a comment\n  "a": 1,\n  "b" 2\n}';
    expect(findError(text).message).toBe("colon expected (line 4, column 7)");
  });

  it("names the line and column behind strings that contain comment marks", () => {
    const text = '{\n  "glob": "src/**/*.ts",\n  "other": "lib/*/x",\n  "b" 2\n}';
    expect(findError(text)).toMatchObject({ line: 4, column: 7 });
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": x\n}', 2],
    ['{\n  "a": "open\n}', 2],
    ['{\n  "a": 1,\n', 3],
    ["{", 1],
    ["nonsense", 1],
    ['{\n  // fine\n  /* fine\n fine */\n  "a": [1, 2,],\n  "b" 3\n}', 6],
    ['{\r\n  "a": 1,\r\n  b: 2\r\n}', 3],
  ])("names the line of the mistake in %j", (text, line) => {
    expect(findError(text).line).toBe(line);
  });

  it("names the line of a mistake wherever it is", () => {
    const texts = fc.array(fc.record({ a: fc.integer(), b: fc.string() }), { minLength: 1 });
    fc.assert(
      fc.property(texts, fc.nat(), (value, seed) => {
        const lines = JSON.stringify(value, undefined, 1).split("\n");
        const at = seed % lines.length;
        lines[at] = `?${lines[at]}`;
        expect(findError(lines.join("\n")).line).toBe(at + 1);
      }),
    );
  });

  it("adds a property named __proto__ instead of changing the prototype", () => {
    const value = parseCommentedJson('{"__proto__": {"isAdmin": true}}') as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("refuses text that is nested too deeply", () => {
    const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(() => parseCommentedJson(text)).toThrow("nested deeper than 200 levels");
  });
});
