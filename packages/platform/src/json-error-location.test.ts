import { describe, expect, it } from "vitest";
import { toJsonErrorLocation } from "./json-error-location.ts";

describe("the location of a JSON error", () => {
  it.each([
    ["an unquoted name", '{\n  "a": 1,\n  b\n}', " (line 3, column 3)"],
    ["a trailing comma in a list", '{\n  "a": [1,]\n}', " (line 2, column 11)"],
    ["a missing end", '{\n  "a":\n', " (line 3, column 1)"],
    ["an empty text", "", " (line 1, column 1)"],
    ["text after the end", '{"a": 1}\nx', " (line 2, column 1)"],
    ["a word", "{\n  not json\n}", " (line 2, column 3)"],
    ["a wrong literal", "[true,\n\n nul]", " (line 3, column 5)"],
    [
      "a comment far from the start",
      `{"a":\n"${"x".repeat(300_000)}",\n"b": // c\n1}`,
      " (line 3, column 6)",
    ],
  ])("names line and column of %s", (_, text, expected) => {
    let thrown: unknown;
    try {
      JSON.parse(text);
    } catch (error) {
      thrown = error;
    }
    expect(toJsonErrorLocation(thrown, text)).toBe(expected);
  });
});
