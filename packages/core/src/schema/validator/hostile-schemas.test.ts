import type { JsonSchema } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { SchemaEffortError } from "./schema-run.ts";

describe("a hostile schema", () => {
  const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const wide = Object.fromEntries(many(20_000, (index) => [`k${index}`, index]));
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`);

  // Each of these would take the usual validator seconds to years, or more memory than there is.
  it.each<[string, JsonSchema, unknown]>([
    [
      "a schema that applies itself twice per level",
      { properties: { a: { allOf: [{ $ref: "#" }, { $ref: "#" }] } } },
      deep,
    ],
    [
      "the same by choices",
      { properties: { a: { anyOf: [{ $ref: "#" }, { $ref: "#" }, { not: {} }] } }, type: "object" },
      deep,
    ],
    [
      "thousands of choices for each item",
      { items: { anyOf: [...many(5_000, (index) => ({ required: [`p${index}`] })), {}] } },
      many(10_000, () => ({})),
    ],
    [
      "thousands of patterns for each name",
      { patternProperties: Object.fromEntries(many(2_000, (index) => [`^p${index}$`, {}])) },
      wide,
    ],
    [
      "many lengths of a long text",
      { allOf: many(1_000, (index) => ({ minLength: index })) },
      "é".repeat(1_000_000),
    ],
    [
      "many patterns on a long text",
      { allOf: many(500, (index) => ({ pattern: `^a*a*${index}?$` })) },
      "a".repeat(500_000),
    ],
    [
      "a hard pattern",
      { pattern: "(a|a?)+(b|b?)+(c|c?)+(a|a?)+(b|b?)+(a|a?)+(b|b?)+$" },
      `${"ab".repeat(200_000)}!`,
    ],
    [
      "objects against many others",
      { anyOf: many(2_000, (index) => ({ const: { a: index } })) },
      { ...wide, z: 1 },
    ],
    [
      "many counts of a wide object",
      {
        allOf: many(2_000, () => ({ minProperties: 1 })),
        anyOf: many(2_000, () => ({ properties: { a: {} }, additionalProperties: false })),
      },
      wide,
    ],
    [
      "names against many schemas",
      { propertyNames: { allOf: many(2_000, (index) => ({ minLength: index % 2 })) } },
      wide,
    ],
    [
      "many lists without equals",
      { allOf: many(1_000, () => ({ uniqueItems: true })) },
      many(50_000, (index) => [index]),
    ],
    [
      "what is contained for each of many",
      { allOf: many(2_000, () => ({ contains: false, minContains: 0 })) },
      many(50_000, () => 1),
    ],
  ])("stops at %s, naming the place", (_, schema, value) => {
    const compiled = compileSchema(schema);
    expect(() => compiled.accepts(value)).toThrow(SchemaEffortError);
    expect(() => compiled.accepts(value)).toThrow(
      /^checking the value against #\/?.* takes more steps/u,
    );
  });

  it.each<[string, JsonSchema, unknown]>([
    ["100,000 different texts", { uniqueItems: true }, many(100_000, (index) => `text ${index}`)],
    [
      "different texts by reference",
      { $defs: { a: { type: "string" } }, items: { $ref: "#/$defs/a" }, uniqueItems: true },
      many(100_000, (index) => `text ${index}`),
    ],
    [
      "100,000 different objects",
      { uniqueItems: true },
      many(100_000, (index) => ({ a: 1, b: index })),
    ],
    [
      "300,000 numbers",
      { items: { type: "integer", minimum: 0 } },
      many(300_000, (index) => index),
    ],
    [
      "a text of a megabyte",
      { pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$" },
      "abc/".repeat(250_000),
    ],
    [
      "20,000 properties",
      { additionalProperties: { type: "integer" }, propertyNames: { pattern: "^k\\d+$" } },
      wide,
    ],
    [
      "5,000 properties of a schema",
      {
        properties: Object.fromEntries(
          many(5_000, (index) => [`p${index}`, { type: "string", minLength: 1 }]),
        ),
      },
      { p1: "a" },
    ],
    [
      "3,000 patterns of names",
      {
        patternProperties: Object.fromEntries(
          many(3_000, (index) => [`^p${index}$`, { type: "string" }]),
        ),
      },
      { p7: "a" },
    ],
    [
      "2,000 parts with properties",
      {
        allOf: many(2_000, (index) => ({ properties: { [`p${index}`]: {} } })),
        unevaluatedProperties: false,
      },
      { p5: 1, p1999: 1 },
    ],
    [
      "a large list of choices",
      { items: { enum: many(20_000, (index) => ({ a: index })) } },
      many(20_000, (index) => ({ a: index })),
    ],
  ])("gets through %s", (_, schema, value) => {
    expect(compileSchema(schema).accepts(value)).toBe(true);
  });

  it("throws a RangeError for values that are nested without end", () => {
    const value = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    for (const schema of [{ items: { $ref: "#" } }, { uniqueItems: true }, { const: [[[]]] }]) {
      const compiled = compileSchema(schema as JsonSchema);
      const judge = (): boolean => compiled.accepts([value, value]);
      if (schema.const === undefined) expect(judge).toThrow(RangeError);
      else expect(judge()).toBe(false);
    }
  });
});
