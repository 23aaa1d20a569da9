import type { JsonSchema } from "@haft/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { translateSchema } from "./translate-schema.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false });

function accepts(schema: Record<string, unknown>, value: unknown): boolean {
  return ajv.compile(translateSchema(schema))(value);
}

describe("translateSchema", () => {
  it.each<[string, Record<string, unknown>, { good: unknown; bad: unknown }]>([
    [
      "tuples",
      { items: [{ type: "string" }, { type: "number" }], additionalItems: false },
      { good: ["a", 1], bad: ["a", 1, 2] },
    ],
    [
      "tuples with more behind",
      { items: [{}], additionalItems: { type: "string" } },
      { good: [1, "a"], bad: [1, 2] },
    ],
    ["flags for bounds", { minimum: 5, exclusiveMinimum: true }, { good: 6, bad: 5 }],
    ["flags that are not set", { maximum: 5, exclusiveMaximum: false }, { good: 5, bad: 6 }],
    [
      "dependencies on names",
      { dependencies: { a: ["b"] } },
      { good: { a: 1, b: 1 }, bad: { a: 1 } },
    ],
    [
      "a dependency on one name",
      { dependencies: { a: "b" } },
      { good: { a: 1, b: 1 }, bad: { a: 1 } },
    ],
    [
      "dependencies on schemas",
      { dependencies: { a: { required: ["b"] } } },
      { good: { a: 1, b: 1 }, bad: { a: 1 } },
    ],
    [
      "definitions",
      { properties: { a: { $ref: "#/definitions/n" } }, definitions: { n: { type: "number" } } },
      { good: { a: 1 }, bad: { a: "b" } },
    ],
    [
      "references to itself by address",
      {
        $id: "https://x.example/s",
        $ref: "https://x.example/s#/definitions/n",
        definitions: { n: { type: "number" } },
      },
      { good: 1, bad: "a" },
    ],
    [
      "anchors of draft-07",
      { $ref: "#n", definitions: { n: { $id: "#n", type: "number" } } },
      { good: 1, bad: "a" },
    ],
    [
      "recursion",
      { type: "object", properties: { a: { $recursiveRef: "#" } } },
      { good: { a: {} }, bad: { a: 1 } },
    ],
    ["any type", { type: "any", minLength: 2 }, { good: 1, bad: "a" }],
  ])("brings %s to draft 2020-12", (_, schema, { good, bad }) => {
    expect(accepts(schema, good)).toBe(true);
    expect(accepts(schema, bad)).toBe(false);
  });

  it("passes over what stands beside a reference where that draft did", () => {
    const schema = { definitions: { n: { type: "number" } }, $ref: "#/definitions/n", maximum: 3 };
    expect(accepts(schema, 5)).toBe(false);
    const { definitions, ...a } = schema;
    const $schema = "http://json-schema.org/draft-07/schema#";
    expect(translateSchema({ properties: { a }, definitions, $schema })).toEqual({
      properties: { a: { $ref: "#/definitions/n" } },
      definitions,
    });
  });

  it("leaves out keywords that no draft knows, and comments", () => {
    const schema = { type: "string", "x-note": "do as I say", $comment: "and this" };
    expect(translateSchema(schema)).toEqual({ type: "string" });
  });

  it("keeps names that are keywords elsewhere", () => {
    const properties = { id: { type: "string" }, $schema: { type: "string" }, items: {} };
    expect(translateSchema({ properties })).toEqual({ properties });
  });

  it("cuts and cleans descriptions", () => {
    const { properties } = translateSchema({
      properties: { a: { description: `\u001b[1m${"x".repeat(3_000)}` } },
    }) as { properties: Record<string, JsonSchema> };
    expect(properties.a?.description).toBe(`${"x".repeat(999)}…`);
  });

  it("leaves patterns to the server that can't be tried safely", () => {
    for (const pattern of ["^(a)\\1$", "[", "^(a{0,999}){0,999}$", "(?i:a)"]) {
      expect(translateSchema({ pattern })).toEqual({});
    }
    for (const pattern of ["^(a+)+$", "^a*a*a*a*b", "^(?=.*\\d)\\p{L}+"]) {
      expect(translateSchema({ pattern })).toEqual({ pattern });
    }
    expect(translateSchema({ pattern: "^[a-z]{2,8}$" })).toEqual({ pattern: "^[a-z]{2,8}$" });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["another document", { $ref: "https://example.com/s" }, "refers to another document"],
    ["a file", { properties: { a: { $ref: "file:///etc/passwd" } } }, "another document"],
    ["a part that is none", { properties: { a: 5 } }, "neither an object nor a boolean"],
    ["hidden names", { properties: { "a\u200B": {} } }, "hidden characters"],
    ["hidden choices", { enum: ["a\u{e0041}"] }, "hidden characters in enum"],
    ["too much", { enum: ["x".repeat(70_000)] }, "the limit is 65536"],
    ["names by an unsafe pattern", { patternProperties: { "(a*)\\1": {} } }, "unsupported pattern"],
  ])("refuses %s", (_, schema, why) => {
    expect(() => translateSchema(schema)).toThrow(why);
  });

  it("refuses references that multiply, and takes those that lead back", () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let level = 1; level < 40; level++) {
      const $ref = `#/$defs/d${level - 1}`;
      $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
    }
    expect(() => translateSchema({ $defs, $ref: "#/$defs/d39" })).toThrow("its references ($ref)");
    const tree = { properties: { children: { items: { $ref: "#" } } } };
    expect(translateSchema(tree)).toEqual(tree);
  });

  it("refuses what is nested without end", () => {
    let schema: Record<string, unknown> = {};
    for (let depth = 0; depth < 200; depth++) schema = { not: schema };
    expect(() => translateSchema(schema)).toThrow("nested more than 64 levels");
  });
});
