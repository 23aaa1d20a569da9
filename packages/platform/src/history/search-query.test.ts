import { describe, expect, it } from "vitest";
import { InvalidRequest } from "../problem.ts";
import { matchesQuery, toSearchQuery } from "./search-query.ts";

const row = {
  output: "The quick brown fox",
  exception_message: null,
  exception_type: null,
  exception_stack_trace: '["at run (tool.ts:1)","at main"]',
};
const find = (text: string): boolean => matchesQuery(toSearchQuery(text), row);

describe("toSearchQuery", () => {
  it("tells words from phrases", () => {
    expect(toSearchQuery('One "two three" four-five').phrases).toEqual([
      ["one"],
      ["two", "three"],
      ["four", "five"],
    ]);
  });

  it("takes nothing but words and quotes for syntax", () => {
    expect(toSearchQuery("a NEAR b OR -c* {d}:^e").phrases).toEqual([
      ["a"],
      ["near"],
      ["b"],
      ["or"],
      ["c"],
      ["d", "e"],
    ]);
  });

  it("ignores an unclosed quote", () => {
    expect(toSearchQuery('"a b" c "d e').phrases).toEqual([["a", "b"], ["c"], ["d"], ["e"]]);
  });

  it.each(["", "   ", '""', '" "', "*", "-^()", "\0", "a ".repeat(51), "x".repeat(1_001)])(
    "says what is wrong with %j",
    (text) => {
      expect(() => toSearchQuery(text)).toThrow(InvalidRequest);
      expect(() => toSearchQuery(text)).toThrow(/^query\.query: The query .*\.$/);
    },
  );
});

describe("matchesQuery", () => {
  it("wants every word, whole, in whatever order and field", () => {
    expect(find("fox QUICK main")).toBe(true);
    expect(find("fox quic")).toBe(false);
    expect(find("fox dog")).toBe(false);
  });

  it("wants the words of a phrase behind each other, in one field", () => {
    expect(find('"quick brown"')).toBe(true);
    expect(find('"brown quick"')).toBe(false);
    expect(find('"fox at"')).toBe(false);
  });

  it("looks only into the fields that are meant", () => {
    expect(matchesQuery(toSearchQuery("main", ["output"]), row)).toBe(false);
    expect(matchesQuery(toSearchQuery("main", ["exception_stack_trace"]), row)).toBe(true);
  });
});
