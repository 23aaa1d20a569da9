import type { JsonSchema } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { fits, violations } from "./schema-check.ts";

function answerOf(schema: JsonSchema, value: unknown): unknown {
  try {
    return fits(schema, value);
  } catch (error) {
    return error;
  }
}

function answersOf(schema: JsonSchema, value: unknown): Set<unknown> {
  const answers = new Set<unknown>();
  for (let use = 0; use < 3; use++) answers.add(answerOf(schema, value));
  return answers;
}

const cases: { what: string; schema: JsonSchema; value: unknown; answer: boolean }[] = [
  {
    what: "an object",
    schema: { type: "object", required: ["a"] },
    value: { a: 1 },
    answer: true,
  },
  {
    what: "a missing property",
    schema: { type: "object", required: ["a"] },
    value: {},
    answer: false,
  },
  {
    what: "an inherited name",
    schema: { type: "object", required: ["valueOf"] },
    value: {},
    answer: false,
  },
  {
    what: "an unsent constructor",
    schema: { properties: { constructor: { type: "string" } } as never },
    value: {},
    answer: true,
  },
  { what: "a number that is none", schema: { type: "number" }, value: Number.NaN, answer: false },
  {
    what: "a long character",
    schema: { type: "string", maxLength: 1 },
    value: "😀",
    answer: true,
  },
  {
    what: "a pattern",
    schema: { type: "string", pattern: "^a" },
    value: "b",
    answer: false,
  },
  {
    what: "a format, which only annotates",
    schema: { type: "string", format: "email" },
    value: "b",
    answer: true,
  },
  {
    what: "an unknown keyword",
    schema: { type: "string", "x-shown": false },
    value: "b",
    answer: true,
  },
];

describe("fits", () => {
  it.each(cases)("judges $what alike each time", ({ schema, value, answer }) => {
    expect(answersOf(schema, value)).toEqual(new Set([answer]));
  });

  it.each<[string, JsonSchema, RegExp]>([
    [
      "anywhere",
      { type: "object", properties: { a: { type: "text" as "string" } } },
      /\/type must/,
    ],
    ["in a reference", { $ref: "#/$defs/none" }, /can't resolve reference/],
    ["in a pattern", { type: "string", pattern: "(" }, /pattern|regular expression/iu],
  ])("throws the same reason each time for a schema broken %s", (_, schema, reason) => {
    const answers = [...answersOf(schema, {})];
    expect(answers).toHaveLength(1);
    expect((answers[0] as Error).message).toMatch(reason);
  });

  it("keeps schemas apart that carry the same identifier", () => {
    const $id = "https://example.com/arguments";
    const first: JsonSchema = { $id, type: "object", properties: { a: { type: "string" } } };
    const second: JsonSchema = { $id, type: "object", properties: { a: { type: "number" } } };
    expect(fits(first, { a: "x" })).toBe(true);
    expect(fits(second, { a: "x" })).toBe(false);
    expect(fits(second, { a: 1 })).toBe(true);
  });

  it("follows references inside the schema", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { child: { $ref: "#" }, name: { $ref: "#/$defs/name" } },
      $defs: { name: { type: "string" } },
    };
    expect(fits(schema, { child: { child: { name: "x" } } })).toBe(true);
    expect(fits(schema, { child: { child: { name: 5 } } })).toBe(false);
  });
});

describe("violations", () => {
  it("finds none in a value that fits", () => {
    expect(violations({ type: "object", title: "none" }, {})).toEqual([]);
  });

  it("finds all of them, not just the first", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "integer" } },
      required: ["c"],
    };
    expect(violations(schema, { a: 1, b: "x" })).toHaveLength(3);
  });
});
